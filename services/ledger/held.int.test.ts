import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { heldAbout, type HeldParts } from "./domains/privacy/held.ts";
import { heldSources } from "./modules.ts";
import { createTestLedger, type TestLedger } from "./testing/create-test-ledger.ts";
import { openPerson, type Person } from "./testing/open-person.ts";

let ledger: TestLedger;
let people: readonly [Person, Person];
beforeAll(async () => {
  ledger = await createTestLedger();
  const now = instantFromMs(Date.now());
  people = [await openPerson(ledger, now), await openPerson(ledger, now)];
});
afterAll(() => ledger.drop());

const parts: HeldParts = {
  sources: heldSources,
  contactOf: async (accountId) => ({
    email: `${accountId}@example.com`,
    fullName: "Dana Levi",
    address: "",
    language: "en",
    timeZone: "Asia/Jerusalem",
  }),
  accountHeld: async () => [
    { section: "profile", records: [[{ field: "full-name", text: "Dana Levi" }]] },
  ],
};

describe("what is held about an account", () => {
  it("is shown in readable words, and is the account's alone", async () => {
    const [dana, omar] = people;
    const held = await heldAbout(ledger, parts, dana.accountId);
    expect(held.missing).toEqual([]);
    expect(held.sections.map(({ section }) => section)).toEqual([
      "profile",
      "links",
      "newsletter",
      "messages",
    ]);
    const text = JSON.stringify(held);
    for (const part of ["Acme", "https://example.com/", dana.email]) expect(text).toContain(part);
    expect(text).not.toContain(omar.accountId);
  });

  it("is shown without the stores that do not answer, which are named", async () => {
    const [dana] = people;
    const unreachable = async () => {
      throw new Error("The accounts service does not answer");
    };
    const silent = { ...parts, contactOf: unreachable, accountHeld: unreachable };
    const held = await heldAbout(ledger, silent, dana.accountId);
    expect(held.sections.map(({ section }) => section)).toEqual(["links"]);
    expect(held.missing.toSorted((one, other) => one.localeCompare(other))).toEqual([
      "messages",
      "newsletter",
      "profile",
      "sign-in",
    ]);
  });
});
