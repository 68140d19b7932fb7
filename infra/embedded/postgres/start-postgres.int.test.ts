import { execFileSync } from "node:child_process";
import { chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { LockHeld } from "@pro-talent/platform/runtime/file-lock";
import { until } from "@pro-talent/platform/testing/until";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { commandLineOf } from "../process/process-identity.ts";
import { type Owner, startOwner, testUsers, type TestUser } from "../testing/owner-process.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { type RunningPostgres, startPostgres } from "./start-postgres.ts";

const Announced = z.object({ url: z.string(), pid: z.number() });

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;
/** Holds a cluster that was stopped in good order; most tests begin with a copy of it. */
let template: Directory;
let directory: Directory;
let dataDir: string;
const owners: Owner[] = [];
const servers: RunningPostgres[] = [];

beforeAll(async () => {
  template = await temporaryDirectory();
  const server = await startPostgres({ dataDir: join(template.path, "postgres") });
  await server.stop();
});

afterAll(() => template.remove());

beforeEach(async () => {
  directory = await temporaryDirectory();
  dataDir = join(directory.path, "postgres");
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const owner of owners.splice(0)) {
    const { pid } = Announced.parse(JSON.parse(owner.announced));
    await owner.kill();
    await until("the postmaster follows its owner", async () => !(await commandLineOf(pid)));
  }
  await directory.remove();
});

/** A directory with a cluster, owned by the user. */
function copyTemplate(user?: TestUser): void {
  execFileSync("cp", ["-a", join(template.path, "postgres"), dataDir]);
  if (user?.identity === undefined) return;
  execFileSync("chown", ["-R", `${user.identity.uid}:${user.identity.gid}`, dataDir]);
}

async function start(options: { password?: string } = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, ...options });
  servers.push(server);
  return server;
}

async function own(user: TestUser): Promise<Owner & { url: string; pid: number }> {
  const owner = await startOwner("own-postgres.ts", [dataDir], user);
  owners.push(owner);
  return { ...owner, ...Announced.parse(JSON.parse(owner.announced)) };
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  try {
    return await sql.unsafe<Row[]>(text);
  } finally {
    await sql.end();
  }
}

const remember = (url: string) =>
  query(url, "create table if not exists note (n int); insert into note values (1)");
const remembered = async (url: string): Promise<number> =>
  (await query<{ n: number }>(url, "select count(*)::int as n from note"))[0]?.n ?? 0;

/** The shell that would end the postmaster if its owner died. */
function lifelinesOf(pid: number): number[] {
  const found = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  return found.split("\n").flatMap((line) => {
    const [, shell, args = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return args.endsWith(`lifeline ${pid} INT`) ? [Number(shell)] : [];
  });
}

describe.each(await testUsers())("run by $name", (user) => {
  test("starts in an empty directory, and finds its rows again after an orderly stop", async () => {
    await mkdir(dataDir);
    if (user.identity !== undefined) await chown(dataDir, user.identity.uid, user.identity.gid);
    const first = await own(user);
    await remember(first.url);
    first.process.kill("SIGTERM");
    await until("the postmaster is gone", async () => !(await commandLineOf(first.pid)));
    const second = await own(user);
    expect(await remembered(second.url)).toBe(1);
  });

  test("stops when its owner is killed, and the next start has every committed row", async () => {
    copyTemplate(user);
    const first = await own(user);
    await remember(first.url);
    await first.kill();
    await until("the postmaster follows its owner", async () => !(await commandLineOf(first.pid)));
    const second = await own(user);
    expect(await remembered(second.url)).toBe(1);
  });

  test("is ready within 5 s when it was killed together with its owner", async () => {
    copyTemplate(user);
    const first = await own(user);
    await remember(first.url);
    for (const pid of [...lifelinesOf(first.pid), first.pid]) process.kill(pid, "SIGKILL");
    await first.kill();
    const from = performance.now();
    const second = await own(user);
    expect(await remembered(second.url)).toBe(1);
    expect(performance.now() - from).toBeLessThan(5000);
  });

  test("an orphan that still runs is replaced by the next start", async () => {
    copyTemplate(user);
    const first = await own(user);
    await remember(first.url);
    for (const pid of lifelinesOf(first.pid)) process.kill(pid, "SIGKILL");
    await first.kill();
    expect(await commandLineOf(first.pid)).toContain("postgres");
    const second = await own(user);
    expect(await commandLineOf(first.pid)).toBeUndefined();
    expect(await remembered(second.url)).toBe(1);
  });
});

test("a cluster of another user goes on running as that user when root starts it", async () => {
  const [user] = (await testUsers()).slice(-1);
  copyTemplate(user);
  const { uid } = await stat(join(dataDir, "cluster"));
  const server = await start();
  await remember(server.url);
  await server.stop();
  expect((await stat(join(dataDir, "cluster", "global", "pg_control"))).uid).toBe(uid);
});

test("a postmaster that dies is started again at the same address", async () => {
  copyTemplate();
  const events: string[] = [];
  const server = await startPostgres({ dataDir, onEvent: ({ type }) => events.push(type) });
  servers.push(server);
  await remember(server.url);
  process.kill(server.pid() ?? 0, "SIGKILL");
  await until("it runs again", () => server.restarts() === 1, 20_000);
  expect(await remembered(server.url)).toBe(1);
  expect(events).toEqual(["died", "restarted"]);
});

test("a second start on the same directory is refused while the first one runs", async () => {
  copyTemplate();
  const server = await start();
  await expect(startPostgres({ dataDir })).rejects.toThrow(LockHeld);
  await remember(server.url);
  expect(await remembered(server.url)).toBe(1);
});

test("a number that now belongs to another program is not taken for the postmaster", async () => {
  copyTemplate();
  const server = await start();
  await remember(server.url);
  await server.stop();
  const pidFile = join(dataDir, "cluster", "postmaster.pid");
  await writeFile(pidFile, `${process.pid}\n${join(dataDir, "cluster")}\n`);
  const next = await start();
  expect(await remembered(next.url)).toBe(1);
});

test("an interrupted first start leaves nothing in the way of the next one", async () => {
  await mkdir(join(dataDir, "cluster.new-half"), { recursive: true });
  await writeFile(join(dataDir, "cluster.new-half", "PG_VERSION"), "18\n");
  const server = await start();
  await remember(server.url);
  expect((await readdir(dataDir)).filter((name) => name.includes(".new-"))).toEqual([]);
});

test("only the password opens it, on loopback alone, and commits reach the disk", async () => {
  const server = await start({ password: "correct horse/battery" });
  const [settings] = await query<Record<string, string>>(
    server.url,
    `select current_setting('fsync') as fsync, current_setting('listen_addresses') as address,
            current_setting('max_connections') as connections,
            current_setting('unix_socket_directories') as sockets,
            current_setting('server_version_num')::int / 10000 as version`,
  );
  expect(settings).toEqual({
    fsync: "on",
    address: "127.0.0.1",
    connections: "300",
    sockets: "",
    version: 18,
  });
  const wrong = new URL(server.url);
  wrong.password = "wrong";
  await expect(query(wrong.toString(), "select 1")).rejects.toMatchObject({ code: "28P01" });
  const hba = await readFile(join(dataDir, "cluster", "pg_hba.conf"), "utf8");
  expect(hba).not.toMatch(/^\s*[^#].*\btrust\b/m);
});

test("what people type never reaches its log, not even with an error", async () => {
  copyTemplate();
  const lines: string[] = [];
  const server = await startPostgres({ dataDir, onLog: (line) => lines.push(line) });
  servers.push(server);
  await query(server.url, "create table person (email text primary key)");
  const insert = "insert into person values ('dana@example.org')";
  await query(server.url, insert);
  await expect(query(server.url, insert)).rejects.toMatchObject({ code: "23505" });
  await expect(query(server.url, `${insert} nonsense`)).rejects.toMatchObject({ code: "42601" });
  await server.stop();
  expect(lines.join("\n")).toContain("duplicate key");
  expect(lines.join("\n")).not.toContain("dana@example.org");
});

test("nothing of it runs any more once it is stopped", async () => {
  copyTemplate();
  const server = await start();
  const pid = server.pid() ?? 0;
  await server.stop();
  expect(await commandLineOf(pid)).toBeUndefined();
  // It is killed when the server has ended, and disappears a moment later.
  await vi.waitFor(() => expect(lifelinesOf(pid)).toEqual([]));
  expect(server.pid()).toBeUndefined();
});

test("a directory that cannot hold a cluster is an error that states why", async () => {
  copyTemplate();
  await writeFile(join(dataDir, "cluster", "PG_VERSION"), "9\n");
  await expect(startPostgres({ dataDir })).rejects.toThrow(/not compatible|incompatible/);
});
