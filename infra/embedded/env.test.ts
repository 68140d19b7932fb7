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

test("a proxy that is no address is named, with the entry that is wrong", () => {
  expect(() =>
    readEnvironment({ TRUSTED_PROXIES: "private, 10.0.0.0/8,2001:db8::/32" }),
  ).not.toThrow();
  expect(() => readEnvironment({ TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0/8" })).toThrow(
    'TRUSTED_PROXIES.1: 10.0.0/8 is neither an address, nor a network, nor "private"',
  );
});

test("a demo is made unless it is turned off", () => {
  expect([readEnvironment({}).demo, readEnvironment({ DEMO: "off" }).demo]).toEqual([true, false]);
});
