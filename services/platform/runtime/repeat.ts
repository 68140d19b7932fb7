import { pause } from "./wait.ts";

export type Repetition = {
  /** Time since a pass last succeeded; before the first one, since the start. */
  readonly sinceSuccessMs: () => number;
  /** Waits for the pass under way; none begins after it. */
  readonly stop: () => Promise<void>;
};

/**
 * Does work in passes until it is stopped, one at a time: at once while a pass answers `again`, else
 * after a pause. A pass that fails is followed by the next one after the pause.
 * @param options.onFailing receives the first failure of a row, not each
 */
export function repeat(options: {
  everyMs: number;
  pass: (signal: AbortSignal) => Promise<"again" | "wait">;
  onFailing: (error: unknown) => void;
}): Repetition {
  const stopping = new AbortController();
  let succeededAt = performance.now();
  let failing = false;

  async function pass(): Promise<"again" | "wait"> {
    try {
      const next = await options.pass(stopping.signal);
      succeededAt = performance.now();
      failing = false;
      return next;
    } catch (error) {
      if (!failing) options.onFailing(error);
      failing = true;
      return "wait";
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if ((await pass()) === "wait") await pause(options.everyMs, stopping.signal);
    }
  }

  const running = run();
  return {
    sinceSuccessMs: () => performance.now() - succeededAt,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
