import { format } from "node:util";

import { afterEach, beforeEach } from "vitest";

/**
 * A test that makes noise fails. A test that expects an error or a warning declares it by replacing
 * the function: `vi.spyOn(console, 'error').mockImplementation(() => {})`.
 */
const real = { error: console.error, warn: console.warn };
let heard: string[] = [];

const onWarning = (warning: Error): unknown =>
  warning.name === "MaxListenersExceededWarning" && heard.push(format(warning));

beforeEach(() => {
  heard = [];
  for (const level of ["error", "warn"] as const) {
    console[level] = (...words: unknown[]) => {
      heard.push(`console.${level}: ${format(...words)}`);
      real[level](...words);
    };
  }
  process.on("warning", onWarning);
});

afterEach(() => {
  process.off("warning", onWarning);
  Object.assign(console, real);
  if (heard.length > 0) throw new Error(`The test made undeclared noise:\n${heard.join("\n")}`);
});
