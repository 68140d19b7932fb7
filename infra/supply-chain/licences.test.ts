import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";
import { z } from "zod";

import { isAllowed, licencesDocument, licensedPackages } from "./licences.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const packages = licensedPackages(JSON.parse(read("package-lock.json")));

it("every package that the product ships has a licence that is allowed", () => {
  expect(packages.length).toBeGreaterThan(200);
  expect(packages.filter((one) => !isAllowed(one))).toEqual([]);
});

it("the list of licences is that of the lockfile", async () => {
  await expect(licencesDocument(packages)).toMatchFileSnapshot("licences.txt");
});

it("a licence that is unknown, or asks for more, is refused", () => {
  for (const licence of ["unknown", "GPL-3.0-only", "AGPL-3.0", "MIT AND GPL-2.0"]) {
    expect(isAllowed({ name: "some-package", licence })).toBe(false);
  }
  expect(isAllowed({ name: "some-package", licence: "(GPL-2.0 OR MIT)" })).toBe(true);
});

it("every package is pinned to one version", () => {
  const Manifest = z.object({
    dependencies: z.record(z.string(), z.string()).default({}),
    devDependencies: z.record(z.string(), z.string()).default({}),
    optionalDependencies: z.record(z.string(), z.string()).default({}),
  });
  const manifests = globSync("{.,schemas,services/*,web,infra}/package.json", { cwd: root });
  expect(manifests.length).toBeGreaterThan(8);
  const wanted = manifests.flatMap((path) => {
    const one = Manifest.parse(JSON.parse(read(path)));
    const all = { ...one.dependencies, ...one.devDependencies, ...one.optionalDependencies };
    return Object.entries(all).map(([name, version]) => `${path}: ${name}@${version}`);
  });
  const exact = /@(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+[\w.-]*$/u;
  expect(wanted.filter((one) => !exact.test(one))).toEqual([]);
});
