import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { issueIdOf } from "./domains/newsletter/issue/issues.ts";
import { decodeEvent, encodeEvent, idOf } from "./kernel/events.ts";
import { fixtureNames, readFrozenFixtures } from "./kernel/testing/frozen-fixtures.ts";
import { modules } from "./modules.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const domains = modules.map(({ name, events }) => {
  const folders = globSync(`domains/${name}/**/fixtures`, { cwd: here });
  const fixtures = folders.flatMap((folder) => [...readFrozenFixtures(here + folder)]);
  return { name, events, fixtures };
});
const frozenEvents = domains.flatMap(({ events, fixtures }) =>
  events.flatMap((family) => {
    const own = fixtures.filter(([, { type }]) => family.upcasts.has(type));
    return own.map(([file, frozen]) => ({ file, category: family.category, family, frozen }));
  }),
);

describe("events that were stored long ago", () => {
  it.each(domains)("of $name have a frozen example for every type and version", (domain) => {
    const names = domain.events.flatMap((family) => fixtureNames(family));
    expect(domain.fixtures.map(([name]) => name).toSorted()).toEqual(names.toSorted());
  });

  it.each(frozenEvents)("$category: $file is read in today's form", ({ family, frozen }) => {
    expect(decodeEvent(family, frozen)).toEqual(frozen.newest);
  });

  it.each(
    frozenEvents.filter(
      ({ family, frozen: { type, schemaVersion } }) =>
        family.upcasts.get(type)?.length === schemaVersion - 1,
    ),
  )("$category: $file is written again with the same bytes", ({ family, frozen }) => {
    const { type, schemaVersion, data } = frozen;
    expect(encodeEvent(family, decodeEvent(family, frozen))).toEqual({ type, schemaVersion, data });
  });
});

describe("the stream of one thing", () => {
  it("is named by its category and its id, in small letters", () => {
    const id = "4f1c9a52-4c3c-4d0e-8d3f-3f5b7d1c2a10";
    const families = domains.flatMap(({ events }) => events);
    const streams = families.map(({ streamOf }) => streamOf(id.toUpperCase()));
    expect(streams).toEqual(families.map(({ category }) => `${category}-${id}`));
    // Stored streams have these names for ever.
    for (const category of ["consent", "contact", "newsletter", "issue", "waitlist"]) {
      expect(streams).toContain(`${category}-${id}`);
    }
    for (const stream of streams) expect(idOf(stream)).toBe(id);
  });

  it("that is an issue follows from its slug, always the same", () => {
    expect(issueIdOf("welcome")).toBe("c43ab434-1d3a-5dca-9602-e7d3f144ea46");
    expect(issueIdOf("2026-12-first-look")).not.toBe(issueIdOf("2026-12-second-look"));
  });
});
