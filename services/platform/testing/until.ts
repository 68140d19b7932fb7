import { setTimeout as delay } from "node:timers/promises";

/** Between two looks: at first, and after a long wait. Looking costs what it waits for processor time. */
const lookEveryMs = { first: 20, most: 200 };

/**
 * Waits until a condition holds and returns its value. What lasts for long is looked at less often: each
 * pause is at most a twentieth of the wait so far.
 * @throws after `deadlineMs` with the description and the last error, if there was one
 */
export async function until<Value>(
  description: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  deadlineMs = 10_000,
): Promise<Value> {
  const begun = performance.now();
  let last: unknown;
  for (let waitedMs = 0; waitedMs < deadlineMs; waitedMs = performance.now() - begun) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    await delay(Math.min(lookEveryMs.most, Math.max(lookEveryMs.first, waitedMs / 20)));
  }
  throw new Error(
    `Not within ${deadlineMs} ms: ${description}`,
    last === undefined ? undefined : { cause: last },
  );
}
