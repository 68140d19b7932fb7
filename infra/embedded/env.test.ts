import { isAbsolute } from "node:path";

import { expect, test } from "vitest";

import { readEnvironment } from "./env.ts";

test("without any setting it is port 3000 and the directory .data of the repository", () => {
  const { port, dataDir, logLevel, underNpm } = readEnvironment({});
  expect([port, logLevel, underNpm]).toEqual([3000, "info", false]);
  expect(isAbsolute(dataDir) && dataDir.endsWith("/.data")).toBe(true);
});

test("an empty setting is no setting", () => {
  expect(readEnvironment({ PORT: "", DATA_DIR: "" })).toEqual(readEnvironment({}));
});

test("wrong settings are named", () => {
  expect(() => readEnvironment({ PORT: "70000", LOG_LEVEL: "loud" })).toThrow(/PORT[^]*LOG_LEVEL/);
});
