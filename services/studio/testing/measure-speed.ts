import { readFileSync } from "node:fs";

import type { CvDocument } from "@pro-talent/schemas/studio/document";

import type { CvDrawer } from "../pdf/draw-cv.ts";

const noon = Date.UTC(2026, 0, 1, 12);
const mebibyte = 1024 * 1024;
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Milliseconds until a file is there, one after another. */
export async function measureLatency(
  drawer: CvDrawer,
  documents: readonly CvDocument[],
  files: number,
) {
  const draw = (index: number) => {
    const document = documents[index % documents.length];
    if (document === undefined) throw new Error("No document to draw");
    return drawer.pdf(document, noon + index, { name: `${index}` });
  };
  for (let index = 0; index < 20; index += 1) await draw(index);
  const times: number[] = [];
  for (let index = 0; index < files; index += 1) {
    const started = performance.now();
    await draw(index);
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

const childrenOf = (): string[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
    .split(" ")
    .filter((id) => id !== "");

/** Of this process and those that draw, in MiB; Linux alone lists them. */
function memoryOfAll(): number {
  const pages = childrenOf().map((id) =>
    Number(readFileSync(`/proc/${id}/statm`, "utf8").split(" ")[1]),
  );
  const bytes = pages.reduce((sum, count) => sum + count * 4096, process.memoryUsage.rss());
  return Math.round(bytes / mebibyte);
}

/** Fields 14 to 17 of proc(5): own time and that of ended children, in hundredths of a second. */
function processorTime(id: number | string): { readonly own: number; readonly ended: number } {
  const [, fields = ""] = readFileSync(`/proc/${id}/stat`, "utf8").split(") ");
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    .split(" ")
    .slice(11, 15)
    .map(Number);
  return { own: (user + system) * 10, ended: (endedUser + endedSystem) * 10 };
}

/** Milliseconds of processor time of the processes that draw, ended ones included. */
const drawingTime = (): number =>
  childrenOf().reduce((sum, id) => sum + processorTime(id).own, processorTime(process.pid).ended);

/** Files in a second with both processes at work, and the memory after each fifty. */
export async function measureThroughput(
  drawer: CvDrawer,
  documents: readonly CvDocument[],
  files: number,
) {
  const memory: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < files) {
      const index = (next += 1);
      const document = documents[index % documents.length];
      if (document === undefined) throw new Error("No document to draw");
      await drawer.pdf(document, noon + index, { name: `${index}` });
      if (index % 50 === 0) memory.push(memoryOfAll());
    }
  };
  const started = performance.now();
  const timeBefore = drawingTime();
  await Promise.all([lane(), lane(), lane()]);
  const seconds = (performance.now() - started) / 1000;
  const processorMs = (drawingTime() - timeBefore) / files;
  return { files, perSecond: files / seconds, processorMs, memory };
}
