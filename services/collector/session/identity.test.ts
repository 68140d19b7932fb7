import { describe, expect, it } from "vitest";

import { createPseudonyms, deriveKeys, makeAnonymousId } from "./identity.ts";

const first = "first-secret-of-the-collector-000001";
const second = "second-secret-of-the-collector-00002";
const pseudonym = (id: string, secrets: string[], visitorSecret?: string) =>
  createPseudonyms(deriveKeys(secrets, visitorSecret).visitorKey)(id);

describe("the pseudonym of a visitor", () => {
  it("is the same for the same anonymous id, and another for another", () => {
    expect(pseudonym("1740000000000-abc", [first])).toBe(pseudonym("1740000000000-abc", [first]));
    expect(pseudonym("1740000000000-abc", [first])).not.toBe(
      pseudonym("1740000000000-abd", [first]),
    );
  });

  it("cannot be computed without the key", () => {
    expect(pseudonym("1740000000000-abc", [first])).not.toBe(
      pseudonym("1740000000000-abc", [second]),
    );
  });

  it("is a UUID of version 8", () => {
    expect(pseudonym("1740000000000-abc", [first])).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it("stays the same while the key of the collector is changed, and afterwards with the former key", () => {
    const before = pseudonym("1740000000000-abc", [first]);
    expect(pseudonym("1740000000000-abc", [second, first])).toBe(before);
    expect(pseudonym("1740000000000-abc", [second], first)).toBe(before);
  });
});

describe("an anonymous id made for a client", () => {
  it("is the time and a random text", () => {
    const ids = new Set(Array.from({ length: 1000 }, () => makeAnonymousId(1_740_000_000_000)));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^1740000000000-[0-9a-f]{24}$/);
  });
});
