import { contactLimits } from "@pro-talent/schemas/contact/limits";

/** How long somebody has been writing. */
export type WritingClock = {
  /** A key or a change; the first one counts. */
  touched: () => void;
  /** Something was written before anybody looked: the time stays unknown. */
  missed: () => void;
  /** The next letter begins. */
  reset: () => void;
  /** Whole milliseconds since the first touch, if they are known. */
  passed: () => number | undefined;
};

/** `now` counts milliseconds and never goes back. */
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
