import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type RunningClickhouse, startClickhouse } from "./clickhouse/start-clickhouse.ts";
import { writeRuntime } from "./runtime-file.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const script = fileURLToPath(new URL("query.ts", import.meta.url));

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let clickhouse: RunningClickhouse;

beforeAll(async () => {
  directory = await temporaryDirectory();
  clickhouse = await startClickhouse({ dataDir: join(directory.path, "clickhouse") });
  await writeRuntime(directory.path, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    origin: "http://localhost:3000",
    clickhouse: { url: clickhouse.url, database: "default" },
    services: {},
    processes: [],
  });
});

afterAll(async () => {
  await clickhouse.stop();
  await directory.remove();
});

type Answer = { code: number; stdout: string; stderr: string };

/** `npm run clickhouse -- …`, without npm. */
function ask(args: string[], options: { dataDir?: string; input?: string } = {}): Promise<Answer> {
  const env = { ...process.env, DATA_DIR: options.dataDir ?? directory.path };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args],
      { env, maxBuffer: 100_000_000 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end(options.input ?? "");
  });
}

test("prints an aligned table, also with Hebrew in it", async () => {
  const { code, stdout } = await ask([
    "SELECT 'שלום' AS text, 7 AS n UNION ALL SELECT 'hi', 12345",
  ]);
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(stdout).toContain("שלום");
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(stdout).not.toContain("\u001B[");
});

test("prints another format on request, or when the statement names one", async () => {
  const row = '{"n":1}\n';
  expect((await ask(["SELECT 1 AS n", "--format", "JSONEachRow"])).stdout).toBe(row);
  expect((await ask(["SELECT 1 AS n FORMAT JSONEachRow"])).stdout).toBe(row);
});

test("takes the statement from the standard input when there is none", async () => {
  const { stdout } = await ask(["--format", "TSV"], { input: "SELECT 1, 'two'\n" });
  expect(stdout).toBe("1\ttwo\n");
});

test("prints a long answer to its end", async () => {
  const { stdout } = await ask(["SELECT number FROM numbers(200000)", "--format", "TSV"]);
  expect(stdout.endsWith("\n199999\n")).toBe(true);
});

test("fails with ClickHouse's own message", async () => {
  const unknown = await ask(["SELECT * FROM nowhere"]);
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toContain("UNKNOWN_TABLE");
  expect((await ask(["SELEC 1"])).stderr).toContain("SYNTAX_ERROR");
});

test("reports that nothing runs, or no more", async () => {
  const empty = await temporaryDirectory();
  const nothing = await ask(["SELECT 1"], { dataDir: empty.path });
  expect(nothing.code).not.toBe(0);
  expect(nothing.stderr).toContain("Nothing is running");
  await writeRuntime(empty.path, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    origin: "http://localhost:3000",
    clickhouse: { url: "http://default:secret@127.0.0.1:9", database: "default" },
    services: {},
    processes: [],
  });
  const gone = await ask(["SELECT 1"], { dataDir: empty.path });
  expect(gone.code).not.toBe(0);
  expect(gone.stderr).toContain("does not answer");
  expect(gone.stderr).not.toContain("secret");
  await empty.remove();
});

test("prints how it is used when there is no statement", async () => {
  const { code, stderr } = await ask([]);
  expect(code).not.toBe(0);
  expect(stderr).toContain("Usage");
});
