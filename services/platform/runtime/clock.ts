import { readFileSync } from "node:fs";

import { z } from "zod";

import { isMissing } from "../files/is-missing.ts";
import { OperatorError } from "./operator-error.ts";

/** Milliseconds since 1970. Passed in wherever time matters, so that tests can move it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** How far the test clock is ahead, as its file holds it. */
export const TestClock = z.strictObject({ aheadMs: z.int().min(0) });
export type TestClock = z.infer<typeof TestClock>;

/**
 * The clock of a service by its environment: that of the system, ahead by what `TEST_CLOCK_FILE` holds
 * if there is one. The file is read each time, so that all processes move at the same moment.
 * @throws OperatorError in production, where no clock but the system's is allowed
 */
export function readClock(source: Readonly<Record<string, string | undefined>>): Clock {
  const { TEST_CLOCK_FILE: file = "", NODE_ENV } = source;
  if (file === "") return systemClock;
  if (NODE_ENV === "production") {
    throw new OperatorError("TEST_CLOCK_FILE moves the clock: it is refused in production.");
  }
  return () => Date.now() + readAheadMs(file);
}

/**
 * How far a test clock is ahead, in milliseconds; 0 without its file.
 * @throws ZodError or SyntaxError when the file holds something else
 */
export function readAheadMs(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
  return TestClock.parse(JSON.parse(text)).aheadMs;
}
