import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { readEnvironment } from "./env.ts";
import { askClickhouse } from "./query-clickhouse.ts";
import { readRuntime } from "./runtime-file.ts";

/** `npm run clickhouse -- "<sql>" [--format JSONEachRow]`: asks the running instance. */

const USAGE = `Usage: npm run clickhouse -- "<sql>" [--format <ClickHouse format>]
       The statement can also come on the standard input.`;

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function readStatement(words: readonly string[]): Promise<string> {
  if (words.length > 0) return words.join(" ");
  if (process.stdin.isTTY) fail(USAGE);
  return text(process.stdin);
}

// A reader like `head` leaves when it has seen enough.
process.stdout.on("error", () => process.exit());

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { format: { type: "string" }, help: { type: "boolean", short: "h" } },
});
if (values.help === true) fail(USAGE);
const statement = (await readStatement(positionals)).trim();
if (statement === "") fail(USAGE);

const { dataDir } = readEnvironment();
const runtime = await readRuntime(dataDir);
if (runtime?.clickhouse === undefined) {
  fail(`Nothing is running on ${dataDir}. Start it with: npm start`);
}
const answer = await askClickhouse({
  ...runtime.clickhouse,
  statement,
  format: values.format ?? "PrettyCompactNoEscapes",
  write: (chunk) => new Promise((resolve) => process.stdout.write(chunk, () => resolve())),
});
if (answer !== "done") {
  // Not `exit`: what has been printed so far may still be on its way.
  console.error(answer.message);
  process.exitCode = 1;
}
