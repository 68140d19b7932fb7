import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { decodeEvent, encodeEvent } from "../event-store/event-registry.ts";
import { fixtureNames, readFrozenFixtures } from "../event-store/testing/frozen-fixtures.ts";
import { contactEvents, contactStream, messageOf } from "./contact-events.ts";
import { contactDecider } from "./decider.ts";

const fixtures = readFrozenFixtures(fileURLToPath(new URL("fixtures", import.meta.url)));

describe("contact events that were stored long ago", () => {
  it("have a frozen example for every type and version", () => {
    expect([...fixtures.keys()].toSorted()).toEqual(fixtureNames(contactEvents).toSorted());
  });

  it.each([...fixtures])(
    "%s is read in today's form and understood by the decider",
    (_name, frozen) => {
      const event = decodeEvent(contactEvents, frozen);
      expect(event).toEqual(frozen.newest);
      const { status } = contactDecider.evolve(contactDecider.initialState, event);
      expect(status).toBe(event.type === "ContactMatterSettled" ? "settled" : "received");
    },
  );

  it("are written again with the same bytes while the version is the newest", () => {
    for (const { type, schemaVersion, data, newest } of fixtures.values()) {
      const event = contactEvents.contract.parse(newest);
      expect(encodeEvent(contactEvents, event)).toEqual({ type, schemaVersion, data });
    }
  });
});

it("the stream of a message carries its id and gives it back", () => {
  const id = randomUUID();
  expect(messageOf(contactStream(id))).toBe(id);
});
