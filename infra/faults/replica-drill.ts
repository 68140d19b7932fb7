import { randomUUID } from "node:crypto";

import {
  openTrackerService,
  type TrackerService,
} from "@pro-talent/ledger/domains/applications/testing/tracker-service";
import { until } from "@pro-talent/platform/testing/until";
import { applicationCalls } from "@pro-talent/schemas/applications/calls";
import { positionHeader } from "@pro-talent/schemas/primitives/calls";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";

import type { Finding } from "./compare-stored.ts";
import type { DrillOptions } from "./drill-stack.ts";
import { seededRandom } from "./record-load.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "./replicated-postgres.ts";

const Listed = applicationCalls["GET /api/applications"].answer;
const One = applicationCalls["GET /api/applications/:applicationId"].answer;
const accounts = 4;
const callsOfPhase = 60;

/** A client that keeps the greatest position, as the web app does. */
export class PositionedCaller {
  readonly #authorization: string;
  position = "";

  constructor(authorization: string) {
    this.#authorization = authorization;
  }

  async send(
    app: FastifyInstance,
    name: string,
    payload?: object,
    position = this.position,
  ): Promise<LightMyRequestResponse> {
    const [method, url = ""] = name.split(" ");
    const headers = {
      authorization: this.#authorization,
      "idempotency-key": randomUUID(),
      ...(position !== "" && { [positionHeader]: position }),
    };
    const options = { method, url, headers, ...(payload && { payload }) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method is that of a call's name
    const answer = await app.inject(options as InjectOptions);
    const reached = String(answer.headers[positionHeader] ?? "");
    if (reached > this.position) this.position = reached;
    return answer;
  }
}

/** How often calls that may lag were answered from where, by all of these instances. */
export async function readsBySource(
  apps: readonly FastifyInstance[],
): Promise<Record<string, number>> {
  const reads: Record<string, number> = {};
  for (const app of apps) {
    const { body } = await app.inject("/metrics");
    for (const [, source = "", count] of body.matchAll(
      /^replica_reads_total.source="([\w-]+)". (\d+)/gm,
    ))
      reads[source] = (reads[source] ?? 0) + Number(count);
  }
  return reads;
}

/** What callers met that must not be. */
type Met = { calls: number; failed: number; missed: number; backwards: number };

/**
 * Each account's application is changed by one caller and read by two, through two instances, while the replica
 * pauses, is killed and returns. An application's place is the number of its change.
 */
export async function replicaDrill(options: DrillOptions & Disturbing): Promise<Finding[]> {
  const postgres = await startReplicatedPostgres(options.directory);
  const database = { ...postgres, drop: async () => undefined };
  const tracker = await openTrackerService(database, postgres.replicaUrlOf("ledger_app"));
  const other = await tracker.openInstance();
  try {
    return await disturbReplica({ postgres, tracker, other }, options);
  } finally {
    await other.close();
    await tracker.close();
    await postgres.stop();
  }
}

type Replicated = {
  readonly postgres: ReplicatedPostgres;
  readonly tracker: TrackerService;
  /** Another instance of it. */
  readonly other: FastifyInstance;
};

type Disturbing = {
  readonly rounds: number;
  /** Callers state that they have seen nothing: what the drill is to notice. */
  readonly ignorePositions?: boolean;
};

/** {@link replicaDrill} on services that run, with a standby that is back in the end. */
export async function disturbReplica(
  { postgres, tracker, other }: Replicated,
  {
    seed,
    report,
    rounds,
    ignorePositions = false,
  }: Pick<DrillOptions, "seed" | "report"> & Disturbing,
): Promise<Finding[]> {
  const apps = [tracker.app, other] as const;
  const before = await readsBySource(apps);
  const met: Met = { calls: 0, failed: 0, missed: 0, backwards: 0 };
  const load = new Load(apps, met, { random: seededRandom(seed), ignorePositions });
  const callers: Promise<void>[] = [];
  try {
    for (let account = 0; account < accounts; account += 1) {
      const own = await newApplication(tracker);
      for (const writes of [true, false]) callers.push(load.run(own, writes));
    }
    for (let round = 1; round <= rounds; round += 1) {
      await disturb(postgres, () => moreCalls(met));
      report(`${round} of ${rounds} rounds: ${met.calls} calls`);
    }
    load.isOver = true;
    await Promise.all(callers);
    const reads = Object.entries(await readsBySource(apps)).map(
      ([source, count]) => [source, count - (before[source] ?? 0)] as const,
    );
    return findingsOf(met, Object.fromEntries(reads));
  } finally {
    load.isOver = true;
    await Promise.allSettled(callers);
  }
}

type Own = { readonly authorization: string; readonly applicationId: string };

async function newApplication(tracker: TrackerService): Promise<Own> {
  const { authorization, send } = await tracker.applicant();
  const details = { company: "Acme", role: "Engineer", place: "0" };
  const made = await send("POST", "/api/applications", { applications: [{ details }] });
  const [first] = applicationCalls["POST /api/applications"].answer.parse(made.json()).applications;
  if (first === undefined) throw new Error(made.body);
  return { authorization, applicationId: first.applicationId };
}

/** Callers that go on until the drill is over. */
class Load {
  isOver = false;
  readonly #apps: readonly [FastifyInstance, FastifyInstance];
  readonly #met: Met;
  readonly #random: () => number;
  readonly #ignorePositions: boolean;

  constructor(
    apps: readonly [FastifyInstance, FastifyInstance],
    met: Met,
    options: { readonly random: () => number; readonly ignorePositions: boolean },
  ) {
    [this.#apps, this.#met] = [apps, met];
    [this.#random, this.#ignorePositions] = [options.random, options.ignorePositions];
  }

  /** Reads again and again; a writer changes something before each read. */
  async run({ authorization, applicationId }: Own, writes: boolean): Promise<void> {
    const caller = new PositionedCaller(authorization);
    let [acknowledged, seen] = [0, 0];
    while (!this.isOver) {
      if (writes) {
        const details = { company: "Acme", role: "Engineer", place: String(acknowledged + 1) };
        await this.#send(caller, `PATCH /api/applications/${applicationId}`, { details });
        acknowledged += 1;
      } else if (this.#random() < 0.3) {
        const whole = await this.#send(caller, `GET /api/applications/${applicationId}`);
        seen = Math.max(seen, Number(One.parse(whole.json()).application.details.place));
      }
      const listed = Listed.parse((await this.#send(caller, "GET /api/applications")).json());
      const place = Number(listed.applications[0]?.details.place ?? 0);
      if (place < acknowledged) this.#met.missed += 1;
      if (place < seen) this.#met.backwards += 1;
      seen = Math.max(seen, place);
    }
  }

  async #send(
    caller: PositionedCaller,
    name: string,
    body?: object,
  ): Promise<LightMyRequestResponse> {
    const position = this.#ignorePositions ? "0".repeat(16) : caller.position;
    const app = this.#apps[this.#random() < 0.5 ? 0 : 1];
    const answer = await caller.send(app, name, body, position);
    this.#met.calls += 1;
    if (answer.statusCode >= 300) this.#met.failed += 1;
    return answer;
  }
}

const moreCalls = (met: Met): Promise<boolean> => {
  const enough = met.calls + callsOfPhase;
  return until("callers have called", () => met.calls >= enough, 60_000);
};

/** One round: as usual, behind, as usual, killed, and returning. */
async function disturb(
  { onStandby, standby }: ReplicatedPostgres,
  moreCallsMade: () => Promise<boolean>,
): Promise<void> {
  await moreCallsMade();
  await onStandby("select pg_wal_replay_pause()");
  await moreCallsMade();
  await onStandby("select pg_wal_replay_resume()");
  await moreCallsMade();
  const pid = standby.pid();
  if (pid === undefined) throw new Error("The standby does not run");
  process.kill(pid, "SIGKILL");
  await moreCallsMade();
  await until(
    "the standby is back",
    async () => (await onStandby("select 1")).length === 1,
    60_000,
  );
  await moreCallsMade();
}

function findingsOf({ calls, failed, missed, backwards }: Met, reads: Record<string, number>) {
  const all = Object.values(reads).reduce((sum, count) => sum + count, 0);
  const sources = Object.entries(reads).map(([source, count]) => `${source} ${count}`);
  const figures = `of ${calls} calls`;
  return [
    {
      statement: "every call is answered",
      holds: failed === 0,
      figures: `${failed} failed, ${figures}`,
    },
    {
      statement: "no caller misses what was acknowledged to it",
      holds: missed === 0,
      figures: `${missed} reads did, ${figures}`,
    },
    {
      statement: "no caller sees less than before",
      holds: backwards === 0,
      figures: `${backwards} reads did, ${figures}`,
    },
    {
      statement: "the replica answers a part of the lists",
      holds: (reads["replica"] ?? 0) > 0,
      figures: `${reads["replica"] ?? 0} of ${all} (${sources.join(", ")})`,
    },
  ];
}
