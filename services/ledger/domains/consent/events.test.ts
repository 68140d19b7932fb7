import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { decodeEvent, encodeEvent } from "../event-store/event-registry.ts";
import { fixtureNames, readFrozenFixtures } from "../event-store/testing/frozen-fixtures.ts";
import { consentEvents, consentStream, visitorOf } from "./consent-events.ts";
import { consentDecider } from "./decider.ts";
import { newVisitor } from "./testing/decisions.ts";

const fixtures = readFrozenFixtures(fileURLToPath(new URL("fixtures", import.meta.url)));

describe("consent events that were stored long ago", () => {
  it("have a frozen example for every type and version", () => {
    expect([...fixtures.keys()].toSorted()).toEqual(fixtureNames(consentEvents).toSorted());
  });

  it.each([...fixtures])(
    "%s is read in today's form and understood by the decider",
    (_name, frozen) => {
      const event = decodeEvent(consentEvents, frozen);
      expect(event).toEqual(frozen.newest);
      expect(consentDecider.evolve(consentDecider.initialState, event)).toHaveProperty("analytics");
    },
  );

  it("are written again with the same bytes while the version is the newest", () => {
    const rewritten = [...fixtures.values()].map((frozen) =>
      encodeEvent(consentEvents, decodeEvent(consentEvents, frozen)),
    );
    expect(rewritten).toEqual(
      [...fixtures.values()].map(({ type, schemaVersion, data }) => ({
        type,
        schemaVersion,
        data,
      })),
    );
  });
});

describe("the stream of a visitor", () => {
  it("carries the visitor's pseudonym and gives it back", () => {
    const visitor = newVisitor();
    expect(consentStream(visitor)).toBe(`consent-${visitor}`);
    expect(visitorOf(consentStream(visitor))).toBe(visitor);
  });
});
