import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

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
import { type DrillContext, migrate, processUnderDrill, startDatabase } from "./drill-services.ts";
import type { DrillOptions } from "./drill-stack.ts";

const alongside = 8;
const killEveryMs = 1_500;
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
  const token = await holderIn(database.context, directory);
  const keys = {
    STUDIO_KEY: randomBytes(32).toString("hex"),
    STUDIO_KEY_STORE: pathToFileURL(join(directory, "studio-keys.json")).href,
    CALLS_PER_MINUTE: "1000000",
  };
  await migrate(database.context, "studio");
  const service = await processUnderDrill(database.context, "studio", { environment: keys });
  await service.start();
  let kills = 0;
  const ended = new AbortController();
  const killing = killAgain(service, ended.signal, () => (kills += 1));
  try {
    const outcomes = await runAll({ url: service.url, token, seed, runs, report });
    return findingsOf(outcomes, kills);
  } finally {
    ended.abort();
    await killing;
    await service.stop();
    await database.stop();
  }
}

/** The token of a signed-in account. */
async function holderIn(context: DrillContext, directory: string): Promise<string> {
  await migrate(context, "accounts");
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 1, applicationName: "drill" });
  try {
    const nowMs = Date.now();
    const settings = readKeySettings({
      ACCOUNTS_KEY: randomBytes(32).toString("hex"),
      ACCOUNTS_KEY_STORE: pathToFileURL(join(directory, "accounts-keys.json")).href,
    });
    const keys = await openAccountKeys(owner, settings, nowMs);
    const accountId = randomUUID();
    const profile = { fullName: "Dana Levi", language: "he", timeZone: "Asia/Jerusalem" } as const;
    const account = { accountId, email: "dana@example.com", profile, passwordHash: "", nowMs };
    await owner.begin((tx) => insertAccount(tx, keys, account));
    return (await openSession(owner, { accountId, factor: false, userAgent: undefined, nowMs }))
      .token;
  } finally {
    await owner.end();
  }
}

async function killAgain(
  service: Awaited<ReturnType<typeof processUnderDrill>>,
  signal: AbortSignal,
  onKill: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await pause(killEveryMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    service.kill9();
    onKill();
    await service.untilReady();
  }
}

type Running = {
  readonly url: string;
  readonly token: string;
  readonly seed: number;
  readonly runs: number;
  readonly report: (line: string) => void;
};

async function runAll({ url, token, seed, runs, report }: Running): Promise<Outcome[]> {
  const samples = fc.sample(acts, { seed, numRuns: runs });
  const outcomes: Outcome[] = [];
  const transport = transportTo(url, token);
  const next = async (): Promise<void> => {
    for (let one = samples.pop(); one !== undefined; one = samples.pop()) {
      outcomes.push(await runOne(transport, one));
      if (outcomes.length % 100 === 0) report(`${outcomes.length} of ${runs} runs`);
    }
  };
  await Promise.all(Array.from({ length: alongside }, next));
  return outcomes;
}

/** One CV from its making to its deletion: an account may hold so many only. */
async function runOne(transport: Transport, done: readonly Act[]): Promise<Outcome> {
  const body = { title: "Drill", language: "en", document: editedCv() };
  const { cv } = Made.parse(await answered(transport, "/api/cvs", body));
  const outcome = await runTabs(cv, done, transport);
  await answered(transport, `/api/cvs/${cv.cvId}`);
  return outcome;
}

async function answered(transport: Transport, path: string, body?: object): Promise<unknown> {
  for (;;) {
    const answer = await transport(body === undefined ? "GET" : "POST", path, body);
    if (answer !== undefined) return answer.body;
  }
}

/** Loses answers: those of a process that was killed, and some that did arrive. */
function transportTo(url: string, token: string): Transport {
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
      const answer = await fetch(new URL(path, url), request);
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
