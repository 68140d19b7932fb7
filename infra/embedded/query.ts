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
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

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
  write: (chunk) => process.stdout.write(chunk),
});
if (answer !== "done") fail(answer.message);
