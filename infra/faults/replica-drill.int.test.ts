import { readFile } from "node:fs/promises";

import {
  openTrackerService,
  type TrackerService,
} from "@pro-talent/ledger/domains/applications/testing/tracker-service";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { type ReadSource, Replica } from "@pro-talent/platform/postgres/replica";
import { until } from "@pro-talent/platform/testing/until";
import { httpApi } from "@pro-talent/schemas/http-api";
import type { CallDefinition } from "@pro-talent/schemas/primitives/calls";
import { openStudioUnderTest, type Studio } from "@pro-talent/studio/testing/studio-under-test";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { disturbReplica, PositionedCaller, readsBySource } from "./replica-drill.ts";
import { type ReplicatedPostgres, startReplicatedPostgres } from "./replicated-postgres.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let postgres: ReplicatedPostgres;
let tracker: TrackerService;
let studio: Studio;
let other: FastifyInstance;

beforeAll(async () => {
  directory = await temporaryDirectory();
  postgres = await startReplicatedPostgres(directory.path);
  const database = { ...postgres, drop: async () => undefined };
  tracker = await openTrackerService(database, postgres.replicaUrlOf("ledger_app"));
  other = await tracker.openInstance();
  studio = await openStudioUnderTest({ database, replicaUrl: postgres.replicaUrlOf("studio_app") });
}, 120_000);
afterAll(async () => {
  await other.close();
  await Promise.all([tracker.close(), studio.drop()]);
  await postgres.stop();
  await directory.remove();
});

const list = "GET /api/applications";
const added = { applications: [{ details: { company: "Acme", role: "Engineer" } }] };

/** Where this one read was answered, and how many applications or CVs it showed. */
async function readBy(
  caller: PositionedCaller,
  app: FastifyInstance,
  name = list,
): Promise<{ source: string; shown: number }> {
  const before = await readsBySource([app]);
  const answer = (await caller.send(app, name)).json<Record<string, unknown[]>>();
  const after = await readsBySource([app]);
  const source = Object.keys(after).find((one) => after[one] !== before[one]) ?? "none";
  return { source, shown: (answer["applications"] ?? answer["cvs"] ?? []).length };
}

/** What a replica that is not disturbed does in a moment. */
const untilReplicaAnswers = (caller: PositionedCaller, app: FastifyInstance, name?: string) =>
  until(
    "the replica answers",
    async () => {
      // Its age is that of the newest transaction.
      await tracker.ledger.owner`update ledger.head set pos = pos`;
      return (await readBy(caller, app, name)).source === "replica";
    },
    20_000,
  );

it("only reads of one account's own data may lag, and they are those of the document", async () => {
  const calls = Object.entries<CallDefinition>(httpApi).filter(([, { mayLag }]) => mayLag);
  expect(calls.filter(([, { access }]) => typeof access === "string")).toEqual([]);
  const document = await readFile(new URL("../docs/production.md", import.meta.url), "utf8");
  const [, section = ""] = document.split("## Reads from a replica");
  const documented = [...section.matchAll(/`(GET [^`]+)`/g)].map(([, name]) => name);
  expect(new Set(calls.map(([name]) => name))).toEqual(new Set(documented));
});

it("a caller without a position reads from the primary, and then from the replica", async () => {
  const { authorization } = await tracker.applicant();
  const caller = new PositionedCaller(authorization);
  expect(await readBy(caller, tracker.app)).toEqual({ source: "no-position", shown: 0 });
  expect(caller.position).toMatch(/^[0-9a-f]{16}$/);
  await untilReplicaAnswers(caller, tracker.app);
});

it("what a caller wrote or saw is never missing, in any instance and service; others may lag", async () => {
  const { authorization } = await tracker.applicant();
  const accountId = "0190f2a4-0000-7000-8000-000000000001";
  const [writer, reader] = [
    new PositionedCaller(authorization),
    new PositionedCaller(authorization),
  ];
  const cvs = new PositionedCaller(`Bearer ${accountId}`);
  await untilReplicaAnswers(reader, tracker.app);
  await untilReplicaAnswers(reader, other);
  await untilReplicaAnswers(cvs, studio.app, "GET /api/cvs");
  await postgres.onStandby("select pg_wal_replay_pause()");
  const lagging = reader.position;

  await writer.send(tracker.app, "POST /api/applications", added);
  for (const app of [tracker.app, other])
    expect(await readBy(writer, app)).toEqual({ source: "behind", shown: 1 });
  // Another browser of the account has seen nothing of it yet.
  reader.position = lagging;
  expect(await readBy(reader, other)).toEqual({ source: "replica", shown: 0 });
  // Once it has, also by a call that does not lag, it stays.
  await reader.send(other, "GET /api/applications/statistics");
  expect(await readBy(reader, tracker.app)).toEqual({ source: "behind", shown: 1 });

  // A position of one service counts in the others.
  cvs.position = writer.position;
  expect(await readBy(cvs, studio.app, "GET /api/cvs")).toEqual({ source: "behind", shown: 0 });
  await cvs.send(studio.app, "POST /api/cvs", { title: "Mine", language: "en" });
  expect(await readBy(cvs, studio.app, "GET /api/cvs")).toEqual({ source: "behind", shown: 1 });
  writer.position = cvs.position;
  expect(await readBy(writer, tracker.app)).toEqual({ source: "behind", shown: 1 });

  // A refusal shows something too.
  const refused = new PositionedCaller(authorization);
  const nothing = "GET /api/applications/0190f2a4-0000-7000-8000-00000000000f";
  expect((await refused.send(other, nothing)).statusCode).toBe(404);
  expect(refused.position >= writer.position).toBe(true);

  await until(
    "it is too far behind for anyone",
    async () => {
      reader.position = lagging;
      return (await readBy(reader, other)).source === "late";
    },
    20_000,
  );
  await postgres.onStandby("select pg_wal_replay_resume()");
  await untilReplicaAnswers(writer, tracker.app);
  expect(await readBy(writer, tracker.app)).toMatchObject({ shown: 1 });
  await untilReplicaAnswers(cvs, studio.app, "GET /api/cvs");
}, 60_000);

it("a position that no one was given costs its sender the replica, and nothing else", async () => {
  const caller = new PositionedCaller((await tracker.applicant()).authorization);
  caller.position = "f".repeat(16);
  expect(await readBy(caller, tracker.app)).toEqual({ source: "behind", shown: 0 });
  caller.position = "'; drop table ledger.event; --";
  expect(await readBy(caller, tracker.app)).toEqual({ source: "no-position", shown: 0 });
});

it.each([
  [false, []],
  [true, ["no caller misses what was acknowledged to it", "no caller sees less than before"]],
])(
  "under load with a replica that comes and goes; positions ignored: %s",
  async (ignorePositions, fails) => {
    const caller = new PositionedCaller((await tracker.applicant()).authorization);
    for (const app of [tracker.app, other]) await untilReplicaAnswers(caller, app);
    const options = { seed: 11, rounds: 1, ignorePositions, report: () => undefined };
    const findings = await disturbReplica({ postgres, tracker, other }, options);
    expect(findings.flatMap(({ holds, statement }) => (holds ? [] : [statement]))).toEqual(fails);
    expect(findings).toHaveLength(4);
  },
  120_000,
);

it("a replica that cancels, is slow, away or promoted is replaced by the primary, call by call", async () => {
  const sources: ReadSource[] = [];
  const primary = openPool(postgres.urlOf("ledger_app"), { applicationName: "test", max: 2 });
  const url = postgres.replicaUrlOf("ledger_app");
  const onRead = (source: ReadSource): void => void sources.push(source);
  const replica = new Replica(primary, url, { applicationName: "test-replica", onRead });
  await tracker.ledger.owner.unsafe(`
    create table ledger.note as select 'kept' as text; grant select on ledger.note to ledger_app`);
  await postgres.onStandby("alter system set max_standby_streaming_delay = 0");
  await postgres.onStandby("select pg_reload_conf()");
  let needed = await replica.position();
  const read = async (seconds = 0): Promise<ReadSource | undefined> => {
    await tracker.ledger.owner`update ledger.head set pos = pos`;
    const { answer, position } = await replica.read(
      needed,
      async (sql) =>
        await sql<{ text: string }[]>`
      select text, pg_sleep(case when pg_is_in_recovery() then ${seconds}::int else 0 end)::text as slept
        from ledger.note`,
    );
    expect(answer.map(({ text }) => text)).toEqual(["kept"]);
    needed = position;
    return sources.at(-1);
  };
  const untilAnswers = () =>
    until("the replica answers", async () => (await read()) === "replica", 20_000);
  await untilAnswers();

  const cancelled = read(1);
  await until("it is being read", async () => {
    const asked = await postgres.onStandby(
      "select 1 from pg_stat_activity where application_name = 'test-replica' and wait_event = 'PgSleep'",
    );
    return asked.length === 1;
  });
  await tracker.ledger.owner.unsafe("alter table ledger.note add column other text");
  expect(await cancelled).toBe("failed");
  await untilAnswers();

  expect(await read(20)).toBe("failed");
  expect(await read()).toBe("resting");
  await untilAnswers();

  process.kill(postgres.standby.pid() ?? 0, "SIGKILL");
  // A backend that is already asked may still answer.
  await until("it is away", async () => (await read()) === "failed");
  await untilAnswers();

  await postgres.onStandby("select pg_promote()");
  await until("it is no replica any more", async () => (await read()) === "promoted");
  await tracker.ledger.owner.unsafe("drop table ledger.note");
  await replica.end();
  await primary.end();
}, 90_000);
