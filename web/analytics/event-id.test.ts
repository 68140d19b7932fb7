import { AnonymousId, UuidV7, uuidV7Ms } from "@pro-talent/schemas/primitives/ids";
import fc from "fast-check";
import { expect, test } from "vitest";

import { newAnonymousId, newEventId } from "./event-id.ts";

test("an event id is a UUID of version 7 that carries its moment", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (nowMs) => {
      const id = newEventId(nowMs);
      expect(UuidV7.safeParse(id).success).toBe(true);
      expect(uuidV7Ms(id)).toBe(nowMs);
    }),
  );
});

test("two ids of the same moment differ", () => {
  expect(newEventId(1_700_000_000_000)).not.toBe(newEventId(1_700_000_000_000));
  expect(newAnonymousId(1_700_000_000_000)).not.toBe(newAnonymousId(1_700_000_000_000));
});

test("an anonymous id is its timestamp plus randomness, in the alphabet of the contract", () => {
  const id = newAnonymousId(1_700_000_000_000);
  expect(AnonymousId.safeParse(id).success).toBe(true);
  expect(id.startsWith("1700000000000-")).toBe(true);
});
