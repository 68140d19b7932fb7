import { contactLimits } from "@pro-talent/schemas/contact/limits";

/** Measures how long a visitor has been writing. */
export type WritingClock = {
  /** A key or a change; only the first one counts. */
  touched: () => void;
  /** Typing began before the measurement: the time stays unknown. */
  missed: () => void;
  /** Starts the next message. */
  reset: () => void;
  /** Whole milliseconds since the first touch, if known. */
  passed: () => number | undefined;
};

/** `now` is a monotonic clock in milliseconds. */
export function startWritingClock(now: () => number): WritingClock {
  let begun: number | "missed" | undefined;
  return {
    touched: () => {
      begun ??= now();
    },
    missed: () => {
      begun = "missed";
    },
    reset: () => {
      begun = undefined;
    },
    passed: () => {
      if (begun === undefined || begun === "missed") return undefined;
      const passed = Math.round(now() - begun);
      return passed > contactLimits.writingMsMax ? undefined : passed;
    },
  };
}
