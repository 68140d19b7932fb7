import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { until } from "@pro-talent/platform/testing/until";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";

import { choosePort } from "./ports.ts";
import { signalProcess } from "./process/end-process.ts";
import { commandLineOf } from "./process/process-identity.ts";
import { readRuntime, type Runtime } from "./runtime-file.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const script = fileURLToPath(new URL("testing/start-fakes.ts", import.meta.url));

/** A started instance as a person has it in a terminal. */
type Terminal = { process: ChildProcess; output: () => string; exit: Promise<number | null> };

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let dataDir: string;
let port: number;
let started: Terminal[];
let seenPids: Set<number>;

beforeEach(async () => {
  directory = await temporaryDirectory();
  dataDir = join(directory.path, "data");
  port = await choosePort();
  started = [];
  seenPids = new Set();
});

afterEach(async () => {
  for (const { process: child, exit } of started) {
    child.kill("SIGKILL");
    await exit;
  }
  for (const pid of seenPids) {
    if ((await commandLineOf(pid))?.includes("fake-process.ts") === true) {
      signalProcess(pid, "SIGKILL");
    }
  }
  await directory.remove();
});

function run(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Terminal {
  const child = spawn(command, args, {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A terminal gives every command its own process group; Ctrl-C goes to all of it.
    detached: true,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exit = once(child, "exit").then(() => child.exitCode);
  const terminal = { process: child, output: () => output, exit };
  started.push(terminal);
  return terminal;
}

const start = (engines: readonly string[] = [], environment: Record<string, string> = {}) =>
  run(process.execPath, [script, ...engines], environment);

async function running(terminal: Terminal): Promise<Runtime> {
  await until(
    "everything runs",
    () => {
      if (terminal.process.exitCode !== null) throw new Error(terminal.output());
      return terminal.output().includes("Ctrl-C stops everything");
    },
    30_000,
  );
  const runtime = await readRuntime(dataDir);
  if (runtime === undefined) throw new Error("There is no runtime file");
  for (const { pid } of runtime.processes) seenPids.add(pid);
  return runtime;
}

const allGone = ({ processes }: Runtime) =>
  until("all its processes are gone", async () => {
    const lines = await Promise.all(processes.map(({ pid }) => commandLineOf(pid)));
    return lines.every((line) => line === undefined);
  });

function ctrlC(terminal: Terminal): void {
  process.kill(-(terminal.process.pid ?? 0), "SIGINT");
}

test("Ctrl-C stops everything in order and counts as success", async () => {
  const terminal = start();
  const runtime = await running(terminal);
  ctrlC(terminal);
  expect(await terminal.exit).toBe(0);
  expect(terminal.output()).toContain("Everything is stopped");
  await allGone(runtime);
  expect(await readRuntime(dataDir)).toBeUndefined();
  const log = await readFile(join(dataDir, "logs", "services.log"), "utf8");
  expect(log.match(/\w+ is closed/g)).toEqual(["second is closed", "first is closed"]);
});

test("a setting that is wrong is named in a sentence, without a stack", async () => {
  const terminal = start([], { PORT: "many" });
  expect(await terminal.exit).toBe(1);
  expect(terminal.output()).toMatch(/✗ The environment is not complete:\n {2}PORT: /);
  expect(terminal.output()).not.toMatch(/^ +at /m);
});

test("a directory that cannot be written is named in one line, with what to do", async () => {
  await writeFile(join(directory.path, "file"), "");
  const wanted = join(directory.path, "file", "data");
  const terminal = start([], { DATA_DIR: wanted });
  expect(await terminal.exit).toBe(1);
  expect(terminal.output().trim().split("\n")).toEqual([
    `✗ Nothing can be written to ${wanted}: a part of the path is a file (ENOTDIR). Make it writable, or set DATA_DIR to another place.`,
  ]);
});

test("a signal that arrives twice, as it does under npm, still stops in order", async () => {
  const terminal = start();
  await running(terminal);
  ctrlC(terminal);
  terminal.process.kill("SIGINT");
  terminal.process.kill("SIGTERM");
  expect(await terminal.exit).toBe(0);
  expect(terminal.output()).toContain("Everything is stopped");
});

test("Ctrl-C during the start leaves nothing behind and is no error; the next start shows no password", async () => {
  const terminal = start(["postgres"]);
  await until("it has begun", async () => (await commandLineOf(terminal.process.pid ?? 0)) !== "");
  await until("the port is taken", async () => {
    const client = connect(port, "127.0.0.1");
    await once(client, "connect");
    return client.destroy();
  });
  ctrlC(terminal);
  expect(await terminal.exit).toBe(0);
  expect(terminal.output()).not.toContain("✗");
  const again = start(["postgres"]);
  const runtime = await running(again);
  expect(runtime.processes).toHaveLength(2);
  const { password, host } = new URL(runtime.postgres?.ownerUrl ?? "");
  expect(again.output()).toContain(host);
  expect(again.output()).not.toContain(password);
  ctrlC(again);
  expect(await again.exit).toBe(0);
});

test("after kill -9 nothing keeps running, and the next start finds its data", async () => {
  const first = start(["postgres"]);
  const before = await running(first);
  const sql = postgres(before.postgres?.ownerUrl ?? "", { max: 1 });
  await sql`create table note as select 1 as n`;
  await sql.end();
  first.process.kill("SIGKILL");
  await first.exit;
  await allGone(before);
  const second = start(["postgres"]);
  const after = await running(second);
  expect(after.postgres).toEqual(before.postgres);
  const again = postgres(after.postgres?.ownerUrl ?? "", { max: 1 });
  expect(await again`select n from note`).toEqual([{ n: 1 }]);
  await again.end();
  ctrlC(second);
  expect(await second.exit).toBe(0);
});

test("what does not notice the death of its start is ended by the next one", async () => {
  const first = start([], { FAKE_STOP: "ignore" });
  const before = await running(first);
  first.process.kill("SIGKILL");
  await first.exit;
  const [leftover] = before.processes;
  expect(await commandLineOf(leftover?.pid ?? 0)).toContain("fake-process.ts");
  const second = start();
  const after = await running(second);
  await allGone(before);
  expect(after.services).toEqual(before.services);
  ctrlC(second);
  expect(await second.exit).toBe(0);
});

test("a second Ctrl-C ends a stop that takes too long", async () => {
  const terminal = start([], { FAKE_STOP: "ignore" });
  await running(terminal);
  ctrlC(terminal);
  await until("it stops", () => terminal.output().includes("Stopping"));
  const from = performance.now();
  await until("a moment has passed", () => performance.now() - from > 1100);
  ctrlC(terminal);
  expect(await terminal.exit).toBe(130);
});

test("it stops when the npm that ran it was killed", async () => {
  const command = `npm_lifecycle_event=start "${process.execPath}" "${script}"; exit 0`;
  const shell = run("/bin/sh", ["-c", command]);
  const runtime = await running(shell);
  shell.process.kill("SIGKILL");
  await allGone(runtime);
  await until("the start itself ends", async () => !(await commandLineOf(runtime.pid)));
  expect(await readRuntime(dataDir)).toBeUndefined();
});

test("a second start fails: on the same directory it names the first one, on the same port what to do", async () => {
  const first = start();
  const runtime = await running(first);
  const second = start();
  expect(await second.exit).toBe(1);
  expect(second.output()).toContain("already running");
  expect(second.output()).toContain(`process ${runtime.pid}`);
  expect(second.output()).not.toContain("at async");
  const third = start([], { DATA_DIR: join(directory.path, "other") });
  expect(await third.exit).toBe(1);
  expect(third.output()).toContain(`Port ${port} is taken`);
  expect(third.output()).not.toContain("at async");
});
