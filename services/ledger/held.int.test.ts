import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { newsletterSubscriber, commandSubscriber } from "./domains/newsletter/subscribers.ts";
import { consentsOf } from "./domains/privacy/consents.ts";
import { heldAbout, type HeldParts } from "./domains/privacy/held.ts";
import { consentSources, heldSources } from "./modules.ts";
import { createTestLedger, testCause, type TestLedger } from "./testing/create-test-ledger.ts";
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
  mailboxSources: [],
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

describe("what an account's holder agreed to", () => {
  it("is read from the events, with its place in the ledger; a withdrawal too", async () => {
    const [dana, omar] = people;
    const agreed = await consentsOf(ledger, consentSources, dana);
    expect(agreed).toMatchObject([
      { subject: "terms", decision: "granted", version: "2026-11-22", language: "he" },
    ]);
    expect(agreed[0]?.hash).toMatch(/^[0-9a-f]{64}$/u);
    const [id = ""] = await ledger.subjects.idsOfAddress(newsletterSubscriber, dana.email);
    for (const type of ["ConfirmSubscription", "Unsubscribe"] as const) {
      const command =
        type === "Unsubscribe"
          ? ({ type, method: "preferences" } as const)
          : ({ type, mail: 1 } as const);
      const why = { now: instantFromMs(Date.now()), cause: testCause() };
      expect(await commandSubscriber(ledger.ledger, id, command, why)).toMatchObject({
        kind: "answer",
      });
    }
    const all = await consentsOf(ledger, consentSources, dana);
    expect(all.map(({ subject, decision }) => `${subject} ${decision}`)).toEqual([
      "newsletter withdrawn",
      "newsletter granted",
      "terms granted",
    ]);
    expect(await consentsOf(ledger, consentSources, omar)).toHaveLength(1);
  });
});

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
