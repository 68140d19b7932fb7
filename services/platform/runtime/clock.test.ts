import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readClock, systemClock } from "./clock.ts";
import { OperatorError } from "./operator-error.ts";

const dayMs = 24 * 60 * 60_000;
let directory: string;
let file: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "clock-"));
  file = join(directory, "test-clock.json");
});
afterAll(() => rm(directory, { recursive: true }));

describe("the clock of a service", () => {
  it("is the system's without a test clock", () => {
    expect(readClock({})).toBe(systemClock);
    expect(readClock({ TEST_CLOCK_FILE: "" })).toBe(systemClock);
  });

  it("moves with the file of the test clock while the service runs", async () => {
    const clock = readClock({ TEST_CLOCK_FILE: file });
    expect(Math.abs(clock() - Date.now())).toBeLessThan(1000);
    await writeFile(file, JSON.stringify({ aheadMs: 15 * dayMs }));
    expect(Math.abs(clock() - Date.now() - 15 * dayMs)).toBeLessThan(1000);
  });

  it("is refused in production when a test clock is configured", () => {
    const source = { TEST_CLOCK_FILE: file, NODE_ENV: "production" };
    expect(() => readClock(source)).toThrow(OperatorError);
  });

  it("is never behind the system's", async () => {
    await writeFile(file, JSON.stringify({ aheadMs: -1 }));
    expect(() => readClock({ TEST_CLOCK_FILE: file })()).toThrow("aheadMs");
  });
});
