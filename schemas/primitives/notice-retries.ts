const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** A mailbox that refuses may accept later: a notice that must be delivered is never given up. */
export const refusedMs = 7 * dayMs;

/** Waiting time before the next attempt. @param failed attempts one after another */
export const retryMs = (result: "refused" | "later", failed: number): number =>
  result === "refused" ? refusedMs : Math.min(2 ** failed * hourMs, dayMs);
