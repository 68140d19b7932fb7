import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { readEnvironment } from "./env.ts";
import { readRuntime, type Runtime } from "./runtime-file.ts";

/** `npm run clickhouse -- "<sql>" [--format JSONEachRow]`: asks the running instance. */

const USAGE = `Usage: npm run clickhouse -- "<sql>" [--format <ClickHouse format>]
       The statement can also come on the standard input.`;

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

async function readStatement(parts: readonly string[]): Promise<string> {
  if (parts.length > 0) return parts.join(" ");
  if (process.stdin.isTTY) fail(USAGE);
  return text(process.stdin);
}

/**
 * Runs one statement over ClickHouse's HTTP interface and prints its answer as it comes.
 * @throws with ClickHouse's own message when it refuses or breaks off
 */
async function printAnswer(
  { url, database }: NonNullable<Runtime["clickhouse"]>,
  statement: string,
  format: string,
): Promise<void> {
  const { host, username, password } = new URL(url);
  const options = new URLSearchParams({ database, default_format: format });
  const response = await fetch(`http://${host}/?${options.toString()}`, {
    method: "POST",
    headers: {
      "x-clickhouse-user": decodeURIComponent(username),
      "x-clickhouse-key": decodeURIComponent(password),
    },
    body: statement,
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  const chunks: AsyncIterable<Uint8Array> | null = response.body;
  if (chunks === null) return;
  // Each chunk only once the one before is written: an answer may be larger than the memory.
  for await (const chunk of chunks) {
    await new Promise<void>((resolve) => process.stdout.write(chunk, () => resolve()));
  }
}

/** What `fetch` throws hides its reason in the cause; an error of ClickHouse has none. */
function explain(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) {
    return `ClickHouse does not answer (${error.cause.message}). Is it running? Start it with: npm start`;
  }
  return error instanceof Error ? error.message : String(error);
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
try {
  await printAnswer(runtime.clickhouse, statement, values.format ?? "PrettyCompactNoEscapes");
} catch (error) {
  // Not `exit`: what has been printed so far may still be on its way.
  console.error(explain(error));
  process.exitCode = 1;
}
