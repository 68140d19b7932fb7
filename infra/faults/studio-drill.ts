import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import { insertAccount } from "@pro-talent/accounts/accounts";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { openSession } from "@pro-talent/accounts/sessions";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { CvState } from "@pro-talent/schemas/studio/calls";
import {
  type Act,
  editedCv,
  type Outcome,
  runTabs,
  type Transport,
} from "@pro-talent/studio/testing/writers";
import fc from "fast-check";
import { z } from "zod";

import { OWNER_ROLE } from "../postgres/roles.ts";
import type { Finding } from "./compare-stored.ts";
import {
  type DrillContext,
  migrate,
  processUnderDrill,
  type ServiceUnderDrill,
  startDatabase,
} from "./drill-services.ts";
import type { DrillOptions } from "./drill-stack.ts";

const alongside = 8;
const callsPerKill = 100;
/** While the service starts again. */
const retryMs = 50;
/** Of all answers that arrive, those that a tab does not see: one in so many. */
const lostOneIn = 6;
const Made = z.object({ cv: CvState });

const acts = fc.array(
  fc.record<Act>({
    tab: fc.constantFrom(0, 1),
    does: fc.constantFrom("heading", "entry", "bullet", "role", "reorder", "save", "save", "undo"),
    answers: fc.boolean(),
  }),
  { minLength: 6, maxLength: 20 },
);

/**
 * Two tabs edit one CV, offline between their saves, while answers are lost and the service is killed again
 * and again (`kill -9`).
 */
export async function studioDrill({
  directory,
  seed,
  report,
  runs,
}: DrillOptions & { readonly runs: number }): Promise<Finding[]> {
  const database = await startDatabase(directory);
  const holders = await holdersIn(database.context);
  const environment = { CALLS_PER_MINUTE: "1000000" };
  await migrate(database.context, "studio");
  const service = await processUnderDrill(database.context, "studio", { environment });
  await service.start();
  const killer = killerOf(service);
  try {
    const { url } = service;
    const outcomes = await runAll({ url, holders, killer, seed, runs, report });
    return findingsOf(outcomes, killer.count());
  } finally {
    await killer.ended();
    await service.stop();
    await holders.end();
    await database.stop();
  }
}

/** Signs in a new account for each run: an account may hold so many CVs only. */
async function holdersIn(context: DrillContext) {
  await migrate(context, "accounts");
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 2, applicationName: "drill" });
  const keys = await openAccountKeys(owner, readKeySettings(context.keys), Date.now());
  return {
    /** @returns the token */
    signIn: async (): Promise<string> => {
      const nowMs = Date.now();
      const accountId = randomUUID();
      const profile = { fullName: "Dana Levi", language: "he", timeZone: "UTC" } as const;
      const email = `${accountId}@example.com`;
      const account = { accountId, email, profile, passwordHash: "", nowMs };
      await owner.begin((tx) => insertAccount(tx, keys, account));
      const session = { accountId, factor: false, userAgent: undefined, nowMs };
      return (await openSession(owner, session)).token;
    },
    end: () => owner.end(),
  };
}

/** Kills the service in the midst of calls, once so many have been made since it was ready. */
function killerOf(service: ServiceUnderDrill) {
  let calls = 0;
  let kills = 0;
  let restarting: Promise<unknown> | undefined;
  return {
    count: () => kills,
    called: (): void => {
      calls += 1;
      if (calls < callsPerKill || restarting !== undefined) return;
      service.kill9();
      kills += 1;
      restarting = service.untilReady().finally(() => {
        calls = 0;
        restarting = undefined;
      });
    },
    ended: async (): Promise<void> => {
      await restarting;
    },
  };
}

type Running = {
  readonly url: string;
  readonly holders: Awaited<ReturnType<typeof holdersIn>>;
  readonly killer: ReturnType<typeof killerOf>;
  readonly seed: number;
  readonly runs: number;
  readonly report: (line: string) => void;
};

async function runAll({ url, holders, killer, seed, runs, report }: Running): Promise<Outcome[]> {
  const samples = fc.sample(acts, { seed, numRuns: runs });
  const outcomes: Outcome[] = [];
  const next = async (): Promise<void> => {
    for (let one = samples.pop(); one !== undefined; one = samples.pop()) {
      outcomes.push(await runOne(transportTo(url, await holders.signIn(), killer), one));
      if (outcomes.length % 100 === 0) report(`${outcomes.length} of ${runs} runs`);
    }
  };
  await Promise.all(Array.from({ length: alongside }, next));
  return outcomes;
}

async function runOne(transport: Transport, done: readonly Act[]): Promise<Outcome> {
  const body = { title: "Drill", language: "en", document: editedCv() };
  const { cv } = Made.parse(await answered(transport, "/api/cvs", body));
  return runTabs(cv, done, transport);
}

async function answered(transport: Transport, path: string, body: object): Promise<unknown> {
  for (;;) {
    const answer = await transport("POST", path, body);
    if (answer !== undefined) return answer.body;
  }
}

/** Loses answers: those of a process that was killed, and some that did arrive. */
function transportTo(url: string, token: string, killer: Running["killer"]): Transport {
  let calls = 0;
  return async (method, path, body) => {
    calls += 1;
    const isLost = calls % lostOneIn === 0;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    try {
      const answering = fetch(new URL(path, url), request);
      killer.called();
      const answer = await answering;
      const read: unknown = await answer.json();
      // 503: it is about to end, or the database does not answer.
      return isLost || answer.status === 503 ? undefined : { status: answer.status, body: read };
    } catch {
      await pause(retryMs);
      return undefined;
    }
  };
}

function findingsOf(outcomes: readonly Outcome[], kills: number): Finding[] {
  const sum = (of: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const acknowledged = sum((outcome) => outcome.acknowledged);
  const lost = sum((outcome) => outcome.lost.length);
  const missing = sum((outcome) => outcome.missing.length);
  const apart = sum((outcome) => (outcome.agree ? 0 : 1));
  return [
    {
      statement: "every acknowledged edit is in the CV or in its history",
      holds: acknowledged > 0 && lost === 0,
      figures: `${outcomes.length} runs, ${kills} kills, ${acknowledged} edits, ${lost} lost`,
    },
    {
      statement: "what two tabs added is in the CV where no one took anything back",
      holds: missing === 0,
      figures: `${missing} missing`,
    },
    {
      statement: "both tabs show the same in the end",
      holds: apart === 0,
      figures: `${apart} apart`,
    },
  ];
}
