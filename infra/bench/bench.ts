import { parseArgs } from "node:util";

import { type FigureName, measured, writeMeasured } from "../capacity/measured.ts";
import { temporaryDirectory } from "../embedded/testing/temporary-directory.ts";
import { benchAccounts } from "./accounts.bench.ts";
import { benchAnalysts } from "./analysts.bench.ts";
import { benchApplications } from "./applications.bench.ts";
import { benchCollector } from "./collector.bench.ts";
import { benchCollectors } from "./collectors.bench.ts";
import { benchEditor } from "./editor.bench.ts";
import { benchErasure } from "./erasure.bench.ts";
import type { BenchOptions } from "./figures.ts";
import { benchForms } from "./forms.bench.ts";
import { benchGate } from "./gate.bench.ts";
import { benchInsights } from "./insights.bench.ts";
import { benchJobs } from "./jobs.bench.ts";
import { benchLedgerAppend } from "./ledger-append.bench.ts";
import { describeMachine } from "./machine.ts";
import { benchOg } from "./og.bench.ts";
import { benchOpens } from "./opens.bench.ts";
import { benchPages } from "./pages.bench.ts";
import { benchPlatform } from "./platform.bench.ts";
import { benchPortfolios } from "./portfolios.bench.ts";
import { benchQueries } from "./query.bench.ts";
import { benchReplica } from "./replica.bench.ts";
import { benchSearch } from "./search.bench.ts";
import { benchStorage } from "./storage.bench.ts";

/**
 * `npm run bench`: figures of this machine, taken now. Names choose parts:
 *
 *     npm run bench -- collector platform --seconds 10
 *     npm run bench -- queries erasure --rows 1000000
 *     npm run bench -- analysts --rows 100000000 --data /var/tmp/analysts
 *     npm run bench -- insights --opens 100000000
 *     npm run bench -- ledger og forms accounts pages portfolios editor opens applications gate collectors replica
 *     npm run bench -- collector opens storage ledger insights applications jobs --write
 *
 * The last one replaces the figures of the capacity page (infra/capacity/measured.json).
 */
const benches: Record<string, (options: BenchOptions) => Promise<void>> = {
  collector: benchCollector,
  platform: benchPlatform,
  ledger: benchLedgerAppend,
  queries: benchQueries,
  analysts: benchAnalysts,
  insights: benchInsights,
  opens: benchOpens,
  gate: benchGate,
  collectors: benchCollectors,
  og: benchOg,
  forms: benchForms,
  accounts: benchAccounts,
  pages: benchPages,
  editor: benchEditor,
  portfolios: benchPortfolios,
  erasure: benchErasure,
  search: benchSearch,
  applications: benchApplications,
  replica: benchReplica,
  storage: benchStorage,
  jobs: benchJobs,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "8" },
    rows: { type: "string", default: "10000000" },
    opens: { type: "string", default: "2000000" },
    data: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) throw new Error(`There is no bench called ${unknown.join(", ")}`);
const [seconds, rows, opens] = [Number(values.seconds), Number(values.rows), Number(values.opens)];

const figures = new Map<FigureName, number>();
function record(name: FigureName, value: number): void {
  figures.set(name, value);
  console.log(`  ${name}: ${value.toPrecision(3)} ${measured[name].unit}`);
}

console.log(describeMachine());
for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const directory = await temporaryDirectory();
  try {
    await bench({ directory: directory.path, seconds, rows, opens, record, data: values.data });
  } finally {
    await directory.remove();
  }
}
if (values.write) writeMeasured(figures);
