import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import fc from "fast-check";
import { Gauge, Registry } from "prom-client";
import { afterEach, expect, it } from "vitest";

import { readFigures } from "./figures.ts";
import { readStatus } from "./read-status.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A process that answers with these figures, and lacks these parts. */
async function startProcess(figures: string, missing: readonly string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/metrics") return response.end(figures);
    response.statusCode = missing.length === 0 ? 200 : 503;
    return response.end(JSON.stringify({ ready: missing.length === 0, missing }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has this form of address
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("figures are read as they are written, whatever their labels hold", async () => {
  const label = fc.string({ unit: "grapheme", maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(label, fc.integer(), async (reason, value) => {
      const registry = new Registry();
      const registers = [registry];
      new Gauge({ name: "a", help: "A", labelNames: ["reason"], registers }).set({ reason }, value);
      const read = readFigures(await registry.metrics());
      expect(read).toEqual([{ name: "a", labels: { reason }, value: value + 0 }]);
    }),
    { numRuns: 200 },
  );
});

it("the status has what processes measure; one that is away costs only its own figures", async () => {
  const collector = await startProcess(
    'collector_shipping 0\ncollector_spool_backlog_bytes 5\ncollector_drops_total{reason="duplicate"} 2\ncollector_drops_total{reason="spool_full"} 7\n',
    ["spool_space"],
  );
  const worker = await startProcess(
    'jobs_in_queue{state="waiting"} 3\nledger_timers_behind 1\nledger_follower_lag_events{follower="a"} 4\nledger_follower_lag_events{follower="b"} 9\nsomething strange\n',
  );
  const status = await readStatus(
    [
      { name: "collector", url: collector },
      { name: "ledger-worker", url: worker },
      { name: "backups", url: "http://127.0.0.1:1" },
    ],
    () => Date.parse("2026-01-01T00:00:00Z"),
  );
  expect(status).toMatchObject({
    processes: [
      { name: "collector", state: "waiting", missing: ["spool_space"] },
      { name: "ledger-worker", state: "ready", missing: [] },
      { name: "backups", state: "away", missing: [] },
    ],
    queues: [{ service: "ledger-worker", waiting: 3, active: 0, delayed: 0, failed: 0 }],
    spool: { bytes: 5, oldestSeconds: null, shipping: false },
    drops: [
      { reason: "spool_full", count: 7 },
      { reason: "duplicate", count: 2 },
    ],
    ledger: { eventsBehind: 9, timersLate: 1, dutiesOverdue: null },
    backups: { newestSeconds: null, restoredSeconds: null, archivedSeconds: null },
  });
});
