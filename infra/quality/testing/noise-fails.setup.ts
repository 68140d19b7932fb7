import { format } from "node:util";

import { afterEach, beforeEach } from "vitest";

/**
 * A test that makes noise fails. A test that expects an error or a warning declares it by replacing
 * the function: `vi.spyOn(console, 'error').mockImplementation(() => {})`.
 */
type Noise = "error" | "warn";

const real = { error: console.error, warn: console.warn };
let heard: string[] = [];

function listen(level: Noise): void {
  console[level] = (...words: unknown[]) => {
    heard.push(`console.${level}: ${format(...words)}`);
    real[level](...words);
  };
}

function onWarning(warning: Error): void {
  if (warning.name === "MaxListenersExceededWarning") heard.push(format(warning));
}

beforeEach(() => {
  heard = [];
  listen("error");
  listen("warn");
  process.on("warning", onWarning);
});

afterEach(() => {
  process.off("warning", onWarning);
  console.error = real.error;
  console.warn = real.warn;
  if (heard.length > 0) throw new Error(`The test made undeclared noise:\n${heard.join("\n")}`);
});
