import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks until the answer is yes.
 * @throws when it is not within `withinMs`
 */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(10);
  }
}

/** Calls until it succeeds: what a client does while the engine is being replaced. */
export async function untilSuccess<T>(call: () => Promise<T>, withinMs = 20_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(5);
  }
}
