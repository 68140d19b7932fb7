import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { decodeEvent, encodeEvent } from "../event-store/event-registry.ts";
import { fixtureNames, readFrozenFixtures } from "../event-store/testing/frozen-fixtures.ts";
import { issueEvents, issueIdOf, issueOf, issueStream } from "./issue-events.ts";

const fixtures = readFrozenFixtures(fileURLToPath(new URL("fixtures", import.meta.url)));

describe("issue events that were stored long ago", () => {
  it("have a frozen example for every type and version", () => {
    expect([...fixtures.keys()].toSorted()).toEqual(fixtureNames(issueEvents).toSorted());
  });

  it.each([...fixtures])("%s is read in today's form", (_name, frozen) => {
    expect(decodeEvent(issueEvents, frozen)).toEqual(frozen.newest);
  });

  it("are written again with the same bytes while the version is the newest", () => {
    for (const { type, schemaVersion, data, ...frozen } of fixtures.values()) {
      const event = decodeEvent(issueEvents, { type, schemaVersion, data, ...frozen });
      expect(encodeEvent(issueEvents, event)).toEqual({ type, schemaVersion, data });
    }
  });
});

describe("the stream of an issue", () => {
  it("follows from its slug, always the same", () => {
    expect(issueIdOf("2026-12-first-look")).toBe(issueIdOf("2026-12-first-look"));
    expect(issueIdOf("2026-12-first-look")).not.toBe(issueIdOf("2026-12-second-look"));
    const issueId = issueIdOf("welcome");
    expect(issueOf(issueStream(issueId))).toBe(issueId);
  });
});
