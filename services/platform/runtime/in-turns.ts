import { setImmediate as nextTurn } from "node:timers/promises";

/** Work that says, by yielding, where it may be interrupted. */
export type Work<Result> = Generator<undefined, Result>;

/**
 * Does long work in turns with everything else: at each yield the event loop serves what waits.
 * Whatever `work` throws rejects.
 */
export async function inTurns<Result>(work: Work<Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/**
 * Does the same work without a pause.
 * @internal used by tests
 */
export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
