import { setTimeout as delay } from "node:timers/promises";

/** Waits, but not longer than until the signal; never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Whether a promise is fulfilled in time; false also when it rejects. What does not answer may leave
 * a question waiting instead of refusing it.
 * @param withinMs two seconds unless stated: as long as a readiness check waits
 */
export async function fulfilledInTime(asked: Promise<unknown>, withinMs = 2000): Promise<boolean> {
  const ended = new AbortController();
  const fulfilled = asked.then(
    () => true,
    () => false,
  );
  const tooLate = pause(withinMs, ended.signal).then(() => false);
  return Promise.race([fulfilled, tooLate]).finally(() => ended.abort());
}
