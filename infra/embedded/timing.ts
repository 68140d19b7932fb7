import { debuglog } from "node:util";

const log = debuglog("start");

/** Awaits a part of the start; `NODE_DEBUG=start` shows how long each one took. */
export async function timed<Result>(part: string, work: Promise<Result>): Promise<Result> {
  const from = performance.now();
  const result = await work;
  log("%s: from %d ms for %d ms", part, Math.round(from), Math.round(performance.now() - from));
  return result;
}
