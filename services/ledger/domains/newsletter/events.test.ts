import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { decodeEvent, encodeEvent } from "../event-store/event-registry.ts";
import { fixtureNames, readFrozenFixtures } from "../event-store/testing/frozen-fixtures.ts";
import { newsletterDecider } from "./decider.ts";
import { newsletterEvents, newsletterStream, subscriberOf } from "./newsletter-events.ts";
import { confirmed, requested } from "./testing/histories.ts";

const fixtures = readFrozenFixtures(fileURLToPath(new URL("fixtures", import.meta.url)));

describe("newsletter events that were stored long ago", () => {
  it("have a frozen example for every type and version", () => {
    expect([...fixtures.keys()].toSorted()).toEqual(fixtureNames(newsletterEvents).toSorted());
  });

  it.each([...fixtures])(
    "%s is read in today's form and understood by the decider",
    (_name, frozen) => {
      const event = decodeEvent(newsletterEvents, frozen);
      expect(event).toEqual(frozen.newest);
      const before = [requested(), confirmed].reduce(
        newsletterDecider.evolve,
        newsletterDecider.initialState,
      );
      expect(newsletterDecider.evolve(before, event)).not.toBe(before);
    },
  );

  it("are written again with the same bytes while the version is the newest", () => {
    const rewritten = [...fixtures.values()].map((frozen) =>
      encodeEvent(newsletterEvents, decodeEvent(newsletterEvents, frozen)),
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

describe("the stream of a subscriber", () => {
  it("carries the subscriber's id and gives it back", () => {
    const id = "4f1c9a52-4c3c-4d0e-8d3f-3f5b7d1c2a10";
    expect(newsletterStream(id.toUpperCase())).toBe(`newsletter-${id}`);
    expect(subscriberOf(newsletterStream(id))).toBe(id);
  });
});
