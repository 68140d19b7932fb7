import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits until a condition holds and returns its value.
 * @throws after `deadlineMs` with the description and the last error, if there was one
 */
export async function until<Value>(
  description: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  deadlineMs = 10_000,
): Promise<Value> {
  const end = performance.now() + deadlineMs;
  let last: unknown;
  while (performance.now() < end) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    await delay(20);
  }
  throw new Error(
    `Not within ${deadlineMs} ms: ${description}`,
    last === undefined ? undefined : { cause: last },
  );
}
