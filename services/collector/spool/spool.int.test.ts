import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { LockHeld } from "@pro-talent/platform/runtime/file-lock";
import { atOnce } from "@pro-talent/platform/runtime/in-turns";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { until } from "@pro-talent/platform/testing/until";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { decodeSegment } from "./frame.ts";
import { type ClosedSegment, opensIn } from "./segment.ts";
import { Spool, type SpoolOptions } from "./spool.ts";
import { counterRecord, eventRecord, openRecord } from "./testing/rows.ts";

const log = createLogger({ service: "test", level: "silent" });

let root: string;
let directory: string;
let opened: Spool[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "spool-"));
  directory = join(root, "spool");
  opened = [];
});

afterEach(async () => {
  for (const spool of opened) await spool.close();
  await rm(root, { recursive: true, force: true });
});

async function open(
  options: Partial<SpoolOptions> = {},
): Promise<{ spool: Spool; segments: ClosedSegment[] }> {
  const segments: ClosedSegment[] = [];
  const spool = await Spool.open({
    directory,
    bytesMax: 1024 ** 2,
    segmentMsMax: 60_000,
    onSegment: (segment) => segments.push(segment),
    log,
    ...options,
  });
  opened.push(spool);
  return { spool, segments };
}

async function idsOf(segments: readonly ClosedSegment[]): Promise<string[]> {
  const ids: string[] = [];
  for (const segment of segments) {
    ids.push(...(await segment.read()).events.map((event) => event.eventId));
  }
  return ids;
}

function events(count: number): { records: ReturnType<typeof eventRecord>[]; ids: string[] } {
  const records = Array.from({ length: count }, () => eventRecord());
  const ids = records.flatMap((record) => (record.kind === "event" ? [record.row.event_id] : []));
  return { records, ids };
}

describe("an acknowledged record", () => {
  it("is in the file when append resolves, while the segment is still open", async () => {
    const { spool, segments } = await open();
    const { records, ids } = events(3);
    await spool.append(records);
    const [name = ""] = (await readdir(directory)).filter((file) => file.endsWith(".segment"));
    const contents = atOnce(decodeSegment(await readFile(join(directory, name))));
    expect(contents.events.map((event) => event.eventId)).toEqual(ids);
    expect(segments).toEqual([]);
  });

  it("is kept once and in order when a thousand calls append at the same time", async () => {
    const { spool, segments } = await open();
    const { records, ids } = events(1000);
    await Promise.all(records.map((record) => spool.append([record])));
    await spool.rotate();
    expect(await idsOf(segments)).toEqual(ids);
  });

  it("is in a closed segment when rotate resolves, also when it was appended during a commit", async () => {
    const { spool, segments } = await open();
    const { records, ids } = events(2);
    const [first = [], second = []] = records.map((record) => [record]);
    const committing = spool.append(first);
    // The first commit begins in this turn of the event loop, and writes to the disk beyond it.
    await new Promise(setImmediate);
    const appended = spool.append(second);
    await spool.rotate();
    expect(await idsOf(segments)).toEqual(ids);
    await Promise.all([committing, appended]);
  });

  it("survives kill -9 of its process at any moment, in a directory that opens again", async () => {
    const script = fileURLToPath(new URL("testing/append-until-killed.ts", import.meta.url));
    const acknowledged: string[] = [];
    for (let kill = 0; kill < 5; kill += 1) {
      const child = spawn(process.execPath, [script, directory], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const lines = createInterface({ input: child.stdout });
      lines.on("line", (line) => acknowledged.push(line));
      const before = acknowledged.length;
      await until("it appends", () => acknowledged.length > before + 20 + kill * 37);
      const ended = once(lines, "close");
      child.kill("SIGKILL");
      await ended;
    }
    const { segments } = await open();
    const stored = await idsOf(segments);
    // The last line may be cut by the kill; a whole id is an acknowledgement.
    const whole = acknowledged.filter((id) => id.length === 36);
    expect(whole.length).toBeGreaterThan(100);
    expect(whole.filter((id) => !stored.includes(id))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
    expect(segments.every((segment) => segment.leftover)).toBe(true);
  });
});

it("the opens that an earlier process stored are found in the segments of their time alone", async () => {
  const [old, recent, last, lost] = Array.from({ length: 4 }, () => randomUUID());
  const { spool } = await open();
  for (const id of [old, recent, last]) {
    await spool.append([openRecord(id ?? "")]);
    await spool.rotate();
  }
  await spool.close();
  const { segments } = await open();
  const ids = new Set([old, recent, last, lost].map(String));
  expect([...(await opensIn(segments, ids, 0))].toSorted()).toEqual(
    [old, recent, last].map(String).toSorted(),
  );
  // An open may be in the segment that was begun before it was claimed, and in no earlier one.
  const begunMs = Number.parseInt((segments[1]?.id ?? "").replace("-", "").slice(0, 12), 16);
  const found = await opensIn(segments, ids, begunMs + 1);
  expect([...found].toSorted()).toEqual([recent, last].map(String).toSorted());
});

describe("a segment", () => {
  it("is closed by its number of records, by its size and by its age", async () => {
    const byRecords = await open({ directory: join(root, "a"), segmentRecordsMax: 10 });
    await byRecords.spool.append(events(11).records);
    await until("closed", () => byRecords.segments.length === 1);
    const bySize = await open({ directory: join(root, "b"), segmentBytesMax: 2000 });
    await bySize.spool.append(events(3).records);
    await until("closed", () => bySize.segments.length === 1);
    const byAge = await open({ directory: join(root, "c"), segmentMsMax: 30 });
    await byAge.spool.append(events(1).records);
    await until("closed", () => byAge.segments.length === 1);
    expect(await idsOf(byAge.segments)).toHaveLength(1);
  });

  it("is closed by its age later while many wait to be shipped, and again soon when they are removed", async () => {
    const { spool, segments } = await open({ segmentMsMax: 20 });
    for (let n = 1; n <= 8; n += 1) {
      await spool.append(events(1).records);
      await until("closed", () => segments.length === n);
    }
    const began = performance.now();
    await spool.append(events(1).records);
    await until("closed", () => segments.length === 9);
    expect(performance.now() - began).toBeGreaterThan(300);
    for (const segment of segments) await segment.remove();
    await spool.append(events(1).records);
    await until("closed", () => segments.length === 10, 300);
  });

  it("is never made empty", async () => {
    const { spool, segments } = await open({ segmentMsMax: 1 });
    await spool.rotate();
    await spool.append([]);
    await spool.rotate();
    expect(segments).toEqual([]);
    expect(await readdir(directory)).toEqual(["lock"]);
  });

  it("left by an earlier process is passed on, oldest first, before anything new", async () => {
    const first = await open({ segmentRecordsMax: 1 });
    const { records, ids } = events(5);
    for (const record of records) await first.spool.append([record]);
    await first.spool.close();
    const second = await open();
    expect(await idsOf(second.segments)).toEqual(ids);
    expect(second.spool.bytes()).toBe(
      second.segments.reduce((sum, segment) => sum + segment.bytes, 0),
    );
  });

  it("whose tail a crash tore gives the same rows each time it is read", async () => {
    const first = await open();
    const { records, ids } = events(3);
    await first.spool.append(records);
    await first.spool.close();
    const [segment] = first.segments;
    const whole = await readFile(segment?.path ?? "");
    await writeFile(segment?.path ?? "", whole.subarray(0, whole.length - 5));
    const { segments } = await open();
    const readTwice = [await segments[0]?.read(), await segments[0]?.read()];
    expect(readTwice[0]).toEqual(readTwice[1]);
    expect(await idsOf(segments)).toEqual(ids.slice(0, 2));
    expect(readTwice[0]?.tornBytes).toBeGreaterThan(0);
  });

  it("has a name of its own in every directory", async () => {
    const names = new Set<string>();
    for (const name of ["a", "b", "c"]) {
      const { spool, segments } = await open({ directory: join(root, name), segmentRecordsMax: 1 });
      for (let n = 0; n < 20; n += 1) await spool.append([counterRecord()]);
      await spool.close();
      for (const segment of segments) names.add(segment.id);
    }
    expect(names.size).toBe(60);
  });
});

describe("a spool that can't accept more", () => {
  it("refuses above its bound with a time to retry, and accepts again once a segment is removed", async () => {
    const { spool, segments } = await open({ bytesMax: 4000 });
    const { records } = events(50);
    const refusals: unknown[] = [];
    let taken = 0;
    for (const record of records) {
      await spool.append([record]).then(
        () => (taken += 1),
        (error: unknown) => refusals.push(error),
      );
    }
    expect(taken).toBeGreaterThan(0);
    expect(refusals).toHaveLength(50 - taken);
    expect(refusals[0]).toMatchObject({ code: "spool_full", retryAfterSeconds: 5 });
    await spool.rotate();
    expect(await idsOf(segments)).toHaveLength(taken);
    for (const segment of segments) await segment.remove();
    expect(spool.bytes()).toBe(0);
    await spool.append(events(1).records);
  });

  it("refuses what it can't write, reports it, and recovers in a new segment", async () => {
    const { spool, segments } = await open();
    const kept = events(1);
    await spool.append(kept.records);
    await spool.rotate();
    await rm(directory, { recursive: true });
    await expect(spool.append(events(1).records)).rejects.toMatchObject({ code: "spool_full" });
    expect(spool.healthy()).toBe(false);
    await mkdir(directory);
    const after = events(1);
    await spool.append(after.records);
    expect(spool.healthy()).toBe(true);
    await spool.rotate();
    expect(await idsOf(segments.slice(1))).toEqual(after.ids);
  });
});

describe("a directory that cannot be written", () => {
  it("is tried again, also when no call comes that would", async () => {
    const { spool } = await open();
    await rename(directory, `${directory}.away`);
    await writeFile(directory, "");
    await expect(spool.append(events(1).records)).rejects.toMatchObject({ code: "spool_full" });
    expect(spool.healthy()).toBe(false);
    await rm(directory);
    await rename(`${directory}.away`, directory);
    await until("it can be written again", () => spool.healthy());
    await spool.append(events(1).records);
  });

  it("is an error with its setting when the spool is opened", async () => {
    await writeFile(join(root, "file"), "");
    const opening = open({ directory: join(root, "file", "spool") });
    await expect(opening).rejects.toThrow(
      `Nothing can be written to ${join(root, "file", "spool")}: a part of the path is a file (ENOTDIR). Make it writable, or set SPOOL_DIR to another place.`,
    );
  });
});

describe("closing", () => {
  it("keeps what was appended just before and refuses what follows", async () => {
    const { spool, segments } = await open();
    const { records, ids } = events(10);
    const appended = Promise.all(records.map((record) => spool.append([record])));
    const closed = spool.close();
    await expect(spool.append(events(1).records)).rejects.toMatchObject({ code: "shutting_down" });
    await appended;
    await closed;
    expect(await idsOf(segments)).toEqual(ids);
  });

  it("releases the directory, which no other spool can open before", async () => {
    const { spool } = await open();
    await expect(open()).rejects.toBeInstanceOf(LockHeld);
    await spool.close();
    await open();
  });
});
