import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { constants, getPriority } from "node:os";
import { join } from "node:path";

import { until } from "@pro-talent/platform/testing/until";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { DataDirUnusable } from "./data-dir.ts";
import { choosePort } from "./ports.ts";
import { commandLineOf } from "./process/process-identity.ts";
import { StartFailure } from "./process/process-spec.ts";
import { readRuntime } from "./runtime-file.ts";
import { type Platform, type PlatformOptions, startPlatform } from "./start-platform.ts";
import { createTerminal } from "./terminal.ts";
import { fakeProgram, fakeService, twoServices } from "./testing/fake-services.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let shown: string[];
const platforms: Platform[] = [];

beforeEach(async () => {
  directory = await temporaryDirectory();
  shown = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const platform of platforms.splice(0)) await platform.stop();
  await directory.remove();
});

async function start(more: Partial<PlatformOptions> = {}): Promise<Platform> {
  const platform = await startPlatform({
    dataDir: join(directory.path, "data"),
    port: 0,
    logLevel: "info",
    services: twoServices(),
    program: fakeProgram,
    terminal: createTerminal((text) => shown.push(text)),
    signal: new AbortController().signal,
    ...more,
  });
  platforms.push(platform);
  return platform;
}

const get = (platform: Platform, path: string) => fetch(`${platform.runtime.origin}${path}`);
const pidsOf = (platform: Platform) => platform.runtime.processes.map(({ pid }) => pid);
const pidOf = async (platform: Platform, path: string): Promise<string> =>
  (await get(platform, path)).headers.get("x-pid") ?? "";

describe("starting", () => {
  test("every service answers on one origin, after its migration; secrets and addresses are their owner's alone", async () => {
    const platform = await start();
    expect(await (await get(platform, "/api/first/a")).text()).toBe("first /api/first/a");
    expect(await (await get(platform, "/about")).text()).toBe("second /about");
    expect(await readFile(join(platform.dataDir, "migrations.txt"), "utf8")).toBe("migrated\n");
    for (const name of ["secrets.json", "runtime.json"]) {
      expect((await stat(join(platform.dataDir, name))).mode & 0o777).toBe(0o600);
    }
  });

  test("the first connection it takes is answered by the services, however early it is", async () => {
    const port = await choosePort();
    const starting = start({ port });
    const first = await until("a connection is taken", () =>
      Promise.all([
        fetch(`http://127.0.0.1:${port}/api/first/a`, { method: "POST", body: "a" }),
        fetch(`http://127.0.0.1:${port}/about`),
      ]),
    );
    expect(await Promise.all(first.map((answer) => answer.text()))).toEqual([
      "first /api/first/a",
      "second /about",
    ]);
    await starting;
  });

  test("a second start uses the same ports and secrets, whatever a crash left in the runtime file", async () => {
    const first = await start();
    const secrets = await readFile(join(first.dataDir, "secrets.json"), "utf8");
    await first.stop();
    await writeFile(join(first.dataDir, "runtime.json"), '{"pid": "of another version"}');
    const second = await start();
    expect((await get(second, "/")).status).toBe(200);
    expect(second.runtime.services).toEqual(first.runtime.services);
    expect(await readFile(join(first.dataDir, "secrets.json"), "utf8")).toBe(secrets);
  });

  test("two instances run side by side on their own directories", async () => {
    const one = await start();
    const other = await start({ dataDir: join(directory.path, "other") });
    expect(other.runtime.origin).not.toBe(one.runtime.origin);
    expect((await get(one, "/")).status).toBe(200);
    expect((await get(other, "/")).status).toBe(200);
  });

  test("a second start is refused: on the same directory it names the first one, on the same port before anything is started", async () => {
    const first = await start();
    const second = start();
    await expect(second).rejects.toThrow(DataDirUnusable);
    await expect(second).rejects.toThrow(`process ${process.pid}`);
    expect((await get(first, "/")).status).toBe(200);
    const port = Number(new URL(first.runtime.origin).port);
    const taken = start({ port, dataDir: join(directory.path, "other") });
    await expect(taken).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(await readdir(join(directory.path, "other"))).not.toContain("migrations.txt");
  });
});

describe("a start that fails", () => {
  const failing = (behaviour: Record<string, string>) => [
    fakeService("healthy", { routes: ["/"] }),
    fakeService("broken", { behaviour }),
  ];

  test("quotes the last lines of the process that ended, and leaves nothing running", async () => {
    const failed = start({ services: failing({ FAKE_START: "fail" }) });
    await expect(failed).rejects.toThrow(StartFailure);
    await expect(failed).rejects.toThrow(
      /services ended with code 1[^]*│ the reason of the failure(?!\n  │ +at )/,
    );
    expect(await readRuntime(join(directory.path, "data"))).toBeUndefined();
    // The directory is free again at once.
    await start();
  });

  test("quotes a migration that failed", async () => {
    const services = [fakeService("first", { behaviour: { FAKE_MIGRATION: "fail" } })];
    await expect(start({ services })).rejects.toThrow(/first migration failed: a role is missing/);
  });

  test("names class and place of an unexpected failure, never its message", async () => {
    const failed = start({ services: failing({ FAKE_START: "crash" }) });
    await expect(failed).rejects.toThrow(/The command failed: Error\n[^]*fake-services\.ts/);
    await expect(failed).rejects.not.toThrow("a secret");
  });

  test("can be interrupted while a service never gets ready", async () => {
    const interrupted = new AbortController();
    const starting = start({
      services: failing({ FAKE_START: "never-ready" }),
      signal: interrupted.signal,
    });
    starting.catch(() => undefined);
    const log = join(directory.path, "data", "logs", "services.log");
    await until("the service runs", async () =>
      (await readFile(log, "utf8")).includes("broken begins"),
    );
    interrupted.abort();
    await expect(starting).rejects.toMatchObject({ name: "AbortError" });
    expect((await start()).runtime.processes).toHaveLength(1);
  });
});

describe("the process of the services", () => {
  test("hosts them all, each also at an address of its own, with the caller's environment below their settings", async () => {
    vi.stubEnv("FROM_CALLER", "seen");
    const platform = await start();
    expect(await (await get(platform, "/env/FROM_CALLER")).text()).toBe("seen");
    expect(await pidOf(platform, "/api/first/x")).toBe(await pidOf(platform, "/"));
    const { first, second } = platform.runtime.services;
    expect(await (await fetch(`${first}/a`)).text()).toBe("first /a");
    expect(await (await fetch(`${second}/a`)).text()).toBe("second /a");
  });

  test("leaves those in the background to another one, of the lowest priority", async () => {
    const background = fakeService("behind", { background: true });
    const platform = await start({ services: [...twoServices(), background] });
    const [services, workers] = platform.runtime.processes;
    expect([services?.name, workers?.name]).toEqual(["services", "workers"]);
    expect(getPriority(workers?.pid)).toBe(constants.priority.PRIORITY_LOW);
    expect(getPriority(services?.pid)).toBe(getPriority());
    const answer = await fetch(`${platform.runtime.services["behind"]}/a`);
    expect(answer.headers.get("x-pid")).toBe(String(workers?.pid));
  });

  test("is started again at the same addresses when it dies; meanwhile the answer is 503, and its new number is recorded", async () => {
    const platform = await start();
    const before = await pidOf(platform, "/");
    process.kill(Number(before), "SIGKILL");
    const unavailable = await until("the port is answered", () => get(platform, "/"));
    expect(unavailable.status).toBe(503);
    expect(unavailable.headers.get("content-type")).toBe("application/problem+json");
    await until("it answers again", async () => (await get(platform, "/")).ok);
    expect(await pidOf(platform, "/")).not.toBe(before);
    expect((await fetch(`${platform.runtime.services["first"]}/a`)).status).toBe(200);
    // A later start would recognise it.
    const recorded = await until("the new number is recorded", async () => {
      const runtime = await readRuntime(platform.dataDir);
      return runtime?.processes.find(
        ({ name, pid }) => name === "services" && pid !== Number(before),
      );
    });
    expect(await commandLineOf(recorded.pid)).toContain("fake-process.ts");
  });

  test("shows warnings of services and the last lines of one that dies, and keeps everything else in the log file", async () => {
    const platform = await start();
    await get(platform, "/warn");
    await until("the warning is shown", () => shown.some((line) => line.includes("is odd")));
    expect(shown.join("\n")).toMatch(/second.* something is odd/);
    expect(shown.join("\n")).not.toContain("second begins");
    const log = await readFile(join(platform.dataDir, "logs", "services.log"), "utf8");
    expect(log).toContain("second begins");
    await fetch(`${platform.runtime.services["first"]}/die`).catch(() => undefined);
    await until("it runs again", () => shown.some((line) => line.includes("runs again")));
    const text = shown.join("\n");
    expect(text).toMatch(/services.* ended with code 7; starting it again in 0\.1 s/);
    expect(text).toContain("dying as asked");
  });
});

describe("stopping", () => {
  test("ends every process and removes the addresses, but keeps the data", async () => {
    const platform = await start();
    const pids = pidsOf(platform);
    expect(pids).toHaveLength(1);
    await platform.stop();
    for (const pid of pids) expect(await commandLineOf(pid)).toBeUndefined();
    expect(await readRuntime(platform.dataDir)).toBeUndefined();
    expect(await readdir(platform.dataDir)).toContain("secrets.json");
    await expect(get(platform, "/")).rejects.toThrow("fetch failed");
  });

  test("is enforced on a service that does not obey in time", async () => {
    const behaviour = { FAKE_STOP: "ignore" };
    const services = [fakeService("stubborn", { behaviour })];
    const platform = await start({ services, stopWithinMs: 300 });
    await platform.stop();
    for (const pid of pidsOf(platform)) expect(await commandLineOf(pid)).toBeUndefined();
  });
});
