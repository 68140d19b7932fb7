import { randomUUID } from "node:crypto";

import { searchClickhouse } from "@pro-talent/collector/search-clickhouse";
import { searchLedger } from "@pro-talent/ledger/domains/privacy/search/search-ledger";
import { connectClickhouse } from "@pro-talent/platform/clickhouse/connect";
import { openPool } from "@pro-talent/platform/postgres/pool";
import type { Searched } from "@pro-talent/schemas/primitives/traces";

import { startDrillStack } from "../faults/drill-stack.ts";
import { DATABASE } from "../postgres/roles.ts";
import type { BenchOptions } from "./figures.ts";
import { generateEvents } from "./generated-events.ts";
import { processCpuSeconds } from "./machine.ts";

const ledgerEvents = 200_000;

const newTraces = () => ({
  values: [`${randomUUID()}@example.com`, "נועה בן־דוד", "+972 54 123 4567", `/l/${randomUUID()}`],
  ids: [randomUUID(), randomUUID(), randomUUID()],
});

/** Searches generated events for what was erased: of ClickHouse, and of the ledger; prints what it costs. */
export async function benchSearch({ directory, rows }: BenchOptions): Promise<void> {
  const stack = await startDrillStack({ directory, collectors: 1 });
  const options = { application: "bench", requestTimeoutMs: 600_000 };
  const clickhouse = connectClickhouse(stack.clickhouse.url, options);
  const owner = openPool(stack.ownerUrl, {
    max: 2,
    applicationName: "bench",
    statementSecondsMax: 600,
  });
  try {
    await generateEvents(clickhouse, DATABASE, rows);
    await owner.unsafe(`
      insert into ledger.event (pos, epoch, stream, version, event_id, command_id, type, schema_version,
                                occurred_at, recorded_at, meta, data, prev, hash)
      select 1000000000 + n, 1, 'bench-' || gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid(), 'Benched', 1,
             now(), now(), jsonb_build_object('actor', repeat(md5(n::text), 6))::text,
             jsonb_build_object('words', repeat(md5((-n)::text), 10))::text, sha256('p'), sha256('h')
        from generate_series(1, ${ledgerEvents}) n`);
    console.log(`\nsearch of ${rows} events in ClickHouse, ${ledgerEvents} of the ledger`);
    const cpuOf = { clickhouse: stack.clickhouse.pid() ?? 0, ledger: process.pid };
    for (const searches of [1, 20]) {
      const traces = Array.from({ length: searches }, newTraces);
      await measure(`clickhouse, ${searches} at once`, cpuOf.clickhouse, () =>
        searchClickhouse({ clickhouse, database: DATABASE }, traces),
      );
      await measure(`ledger, ${searches} at once`, cpuOf.ledger, () =>
        searchLedger(owner, new Set(), traces),
      );
    }
  } finally {
    await owner.end();
    await clickhouse.close();
    await stack.stop();
  }
}

/** Processor time, unlike time, does not depend on what else the machine does. */
async function measure(
  what: string,
  pid: number,
  search: () => Promise<readonly Searched[]>,
): Promise<void> {
  const [begin, cpu] = [performance.now(), await processCpuSeconds(pid)];
  const [found] = await search();
  const seconds = (performance.now() - begin) / 1000;
  const used = (await processCpuSeconds(pid)) - cpu;
  const decoy = found?.decoy === true ? "found" : "missing";
  console.log(
    `  ${what}: ${found?.searched} rows, decoy ${decoy}: ${seconds.toFixed(1)} s, ${used.toFixed(1)} CPU s`,
  );
}
