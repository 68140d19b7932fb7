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

/** A clock that only goes forward, in milliseconds, and a way to wait on it. */
export type Pace = {
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type Throttle = {
  /** Resolves when it is the caller's turn, or at once when the signal is aborted. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
};

export const monotonicPace: Pace = {
  now: () => performance.now(),
  wait: pause,
};

/**
 * At most so many turns a second, evenly spaced. Turns are counted from the planned moment of the one
 * before, so that a timer that wakes late does not slow down what follows; time without calls
 * is not made up for.
 */
export function createThrottle(perSecond: number, pace: Pace = monotonicPace): Throttle {
  const spacing = 1000 / perSecond;
  let last = Number.NEGATIVE_INFINITY;
  return {
    turn: async (signal) => {
      const now = pace.now();
      last = Math.max(last + spacing, now);
      if (last > now && !signal.aborted) await pace.wait(last - now, signal);
    },
  };
}
