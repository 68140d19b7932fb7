import { fileURLToPath } from "node:url";

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { decodeEvent, defineEvents, encodeEvent, idOf, UnknownEvent, upcast } from "./events.ts";
import { fixtureNames, readFrozenFixtures } from "./testing/frozen-fixtures.ts";

/** A type that is in its third version: grams became kilograms, then a service was added. */
const ParcelSent = z.strictObject({
  type: z.literal("ParcelSent"),
  data: z.strictObject({ weightKg: z.number(), service: z.enum(["standard", "express"]) }),
});
const parcelEvents = defineEvents("parcel", z.discriminatedUnion("type", [ParcelSent]), {
  ParcelSent: [
    upcast(z.strictObject({ grams: z.number() }), ({ grams }) => ({ weightKg: grams / 1000 })),
    upcast(z.strictObject({ weightKg: z.number() }), (data) => ({ ...data, service: "standard" })),
  ],
});
const fixtures = readFrozenFixtures(fileURLToPath(new URL("fixtures", import.meta.url)));
const newest = { type: "ParcelSent" as const, data: { weightKg: 2, service: "express" as const } };

describe("a stored event", () => {
  it("has a frozen example for each of its versions", () => {
    expect([...fixtures.keys()].toSorted()).toEqual(fixtureNames(parcelEvents).toSorted());
  });

  it.each([...fixtures])("%s is read in the newest version", (_name, frozen) => {
    expect(decodeEvent(parcelEvents, frozen)).toEqual(frozen.newest);
  });

  it("of a type that is not known is refused, never skipped", () => {
    expect(() =>
      decodeEvent(parcelEvents, { type: "ParcelLost", schemaVersion: 1, data: "{}" }),
    ).toThrow(UnknownEvent);
    expect(() =>
      decodeEvent(parcelEvents, { type: "toString", schemaVersion: 1, data: "{}" }),
    ).toThrow(UnknownEvent);
  });

  it.each([0, 4, -1, 1.5])("in version %s, which is not known, is refused", (schemaVersion) => {
    const data = '{"service":"express","weightKg":2}';
    expect(() => decodeEvent(parcelEvents, { type: "ParcelSent", schemaVersion, data })).toThrow(
      UnknownEvent,
    );
  });

  it("that does not fit the version it claims is refused", () => {
    expect(() =>
      decodeEvent(parcelEvents, { type: "ParcelSent", schemaVersion: 1, data: '{"weightKg":2}' }),
    ).toThrow(z.ZodError);
    expect(() =>
      decodeEvent(parcelEvents, { type: "ParcelSent", schemaVersion: 3, data: '{"weightKg":2}' }),
    ).toThrow(z.ZodError);
  });
});

describe("a new event", () => {
  it("is stored in the newest version, as canonical JSON", () => {
    expect(encodeEvent(parcelEvents, newest)).toEqual({
      type: "ParcelSent",
      schemaVersion: 3,
      data: '{"service":"express","weightKg":2}',
    });
  });

  it("that does not fit its contract is refused before it is stored", () => {
    expect(() =>
      encodeEvent(parcelEvents, { ...newest, data: { ...newest.data, weightKg: Number.NaN } }),
    ).toThrow(z.ZodError);
  });

  it("is read as it was written", () => {
    const weights = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((n) => !Object.is(n, -0));
    fc.assert(
      fc.property(
        weights,
        fc.constantFrom("standard" as const, "express" as const),
        (weightKg, service) => {
          const event = { type: "ParcelSent" as const, data: { weightKg, service } };
          expect(decodeEvent(parcelEvents, encodeEvent(parcelEvents, event))).toEqual(event);
        },
      ),
    );
  });
});

it("the name of a stream carries the id of its thing and gives it back", () => {
  const id = "0190D7A4-3c1e-7b6a-9d2f-1a2b3c4d5e6f";
  expect(parcelEvents.streamOf(id)).toBe("parcel-0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e6f");
  expect(idOf(parcelEvents.streamOf(id))).toBe(id.toLowerCase());
});
