import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the image", () => {
  const dockerfile = readFileSync(join(root, "infra/docker/Dockerfile"), "utf8");

  it("copies only what exists and is not kept from the builder", () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gmu)].flatMap(
      ([, list = ""]) => list.split(" "),
    );
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const sent = readFileSync(join(root, ".dockerignore"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    expect(
      copied.filter(
        (path) => !sent.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
      ),
    ).toEqual([]);
  });

  it("knows every workspace of a service", () => {
    const names = readdirSync(join(root, "services"), { withFileTypes: true })
      .filter((entry) => existsSync(join(root, "services", entry.name, "package.json")))
      .map(({ name }) => name);
    expect(names).toContain("ledger");
    for (const name of names) {
      expect(dockerfile).toContain(`COPY services/${name}/package.json`);
      expect(dockerfile).toContain(`--workspace=services/${name}`);
    }
  });

  it("does not run as root", () => {
    for (const target of ["mail", "application"]) {
      const stage = dockerfile.split("FROM ").find((text) => text.includes(` AS ${target}\n`));
      expect(stage).toMatch(/^USER node$/mu);
    }
  });

  it("runs the Node that the repository pins", () => {
    const pinned = readFileSync(join(root, ".node-version"), "utf8").trim();
    const images = [...dockerfile.matchAll(/^FROM (node:\S+)/gmu)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:${pinned}-slim`]));
  });
});
