import { openTrackerService } from "@pro-talent/ledger/domains/applications/testing/tracker-service";
import type { FastifyInstance } from "fastify";

import { PositionedCaller, readsBySource } from "../faults/replica-drill.ts";
import { startReplicatedPostgres } from "../faults/replicated-postgres.ts";
import type { BenchOptions } from "./figures.ts";
import { treeCpuSeconds } from "./machine.ts";

const callersAtOnce = 8;
const held = 50;
const calls = {
  "a list of 50": () => "GET /api/applications",
  "one of them": (id: string) => `GET /api/applications/${id}`,
};

/**
 * What reads cost the primary without a replica and with one: a list, which may lag, and one application, which is
 * read from the primary, whose position is then asked for. Eight accounts; another caller writes ten times a second.
 */
export async function benchReplica({ directory, seconds }: BenchOptions): Promise<void> {
  const postgres = await startReplicatedPostgres(directory);
  const database = { ...postgres, drop: async () => undefined };
  const tracker = await openTrackerService(database, postgres.replicaUrlOf("ledger_app"));
  const alone = await tracker.openInstance("none");
  const write = async () => void (await tracker.ledger.owner`update ledger.head set pos = pos`);
  const writing = setInterval(() => void write(), 100);
  try {
    const holders = [];
    for (let n = 0; n < callersAtOnce; n += 1) {
      const { authorization, send } = await tracker.applicant();
      const details = { company: "Acme", role: "Engineer" };
      const applications = Array.from({ length: held }, () => ({ details }));
      const made = await send("POST", "/api/applications", { applications });
      const [first] = made.json<{ applications: { applicationId: string }[] }>().applications;
      holders.push({ authorization, applicationId: first?.applicationId ?? "" });
    }
    const arrangements = { "primary alone": alone, "with a replica": tracker.app };
    for (const [what, nameOf] of Object.entries(calls)) {
      for (const [arrangement, app] of Object.entries(arrangements)) {
        const callers = holders.map(({ authorization, applicationId }) => ({
          caller: new PositionedCaller(authorization),
          name: nameOf(applicationId),
        }));
        await callFor(app, callers, 1);
        const [primary, standby] = [postgres.primary.pid() ?? 0, postgres.standby.pid() ?? 0];
        const before = [await treeCpuSeconds(primary), await treeCpuSeconds(standby)] as const;
        const count = await callFor(app, callers, seconds);
        const msOf = async (pid: number, from: number): Promise<string> =>
          ((1000 * ((await treeCpuSeconds(pid)) - from)) / count).toFixed(3);
        console.log(
          `replica: ${what}, ${arrangement}: ${(count / seconds).toFixed(0)} a second; processor of the primary ${await msOf(primary, before[0])} ms a call, of the standby ${await msOf(standby, before[1])} ms`,
        );
      }
    }
    console.log("replica: lists were answered by", await readsBySource([tracker.app]));
  } finally {
    clearInterval(writing);
    await alone.close();
    await tracker.close();
    await postgres.stop();
  }
}

/** @returns how many calls were answered */
async function callFor(
  app: FastifyInstance,
  callers: readonly { readonly caller: PositionedCaller; readonly name: string }[],
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    callers.map(async ({ caller, name }) => {
      let count = 0;
      for (; performance.now() < end; count += 1) {
        const { statusCode } = await caller.send(app, name);
        if (statusCode !== 200) throw new Error(`${name}: ${statusCode}`);
      }
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
