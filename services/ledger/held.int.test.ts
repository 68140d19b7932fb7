import { randomUUID } from "node:crypto";

import { instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { newMessage } from "./domains/contact/testing/contact-samples.ts";
import { newsletterSubscriber, commandSubscriber } from "./domains/newsletter/subscribers.ts";
import { consentsOf } from "./domains/privacy/consents.ts";
import { heldAbout, type HeldParts } from "./domains/privacy/held.ts";
import { recipientsHeld } from "./domains/privacy/recipients.ts";
import { consentSources, heldSources, recipientSources } from "./modules.ts";
import { createTestLedger, testCause, type TestLedger } from "./testing/create-test-ledger.ts";
import { openPerson, type Person } from "./testing/open-person.ts";

const now = instantFromMs(Date.now());
let ledger: TestLedger;
let people: readonly [Person, Person];
beforeAll(async () => {
  ledger = await createTestLedger();
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
      // With the text of the newsletter, terms and policy are accepted.
      "newsletter granted",
      "privacy granted",
      "terms granted",
      "terms granted",
    ]);
    expect(await consentsOf(ledger, consentSources, omar)).toHaveLength(1);
  });
});

describe("what is held about an account", () => {
  it("is shown in readable words, and is the account's alone", async () => {
    const [dana, omar] = people;
    const held = await heldAbout(ledger, parts, dana.accountId, now);
    expect(held.missing).toEqual([]);
    expect(held.sections.map(({ section }) => section)).toEqual([
      "profile",
      "links",
      "webhooks",
      "applications",
      "newsletter",
      "messages",
    ]);
    const text = JSON.stringify(held);
    const { subject, message } = newMessage().details;
    for (const part of ["Acme", "Initech", "https://example.com/", dana.email])
      expect(text).toContain(part);
    const written = held.sections.find(({ section }) => section === "messages")?.records[0];
    expect(written).toContainEqual({ field: "subject", text: subject });
    expect(written).toContainEqual({ field: "message", text: message });
    expect(text).not.toContain(omar.accountId);
  });

  it("holds the deliveries, the reports, the place and what support read, as far as there are any", async () => {
    const [dana] = people;
    const { owner, subjects, mailboxes } = ledger;
    const [subscriberId = ""] = await subjects.idsOfAddress(newsletterSubscriber, dana.email);
    const [messageId = ""] = await subjects.idsOfAddress("contact.sender", dana.email);
    const issueId = randomUUID();
    await owner`
      insert into ledger.newsletter_issue (issue_id, slug, content_hash, topics, frequencies, pos)
      values (${issueId}, 'welcome', ${"a".repeat(64)}, '{}', '{}', 0)`;
    await owner`
      insert into ledger.issue_delivery (issue_id, subscriber_id) values (${issueId}, ${subscriberId})`;
    await owner`
      insert into ledger.waitlist_place (subscriber_id, requested_at, confirmed, invited, pos)
      values (${subscriberId}, ${now}, true, '{}', 0)`;
    await owner`
      insert into ledger.operator_action (operator, action, concerns)
      values ('noa', 'contact_message.read', ${messageId})`;
    await owner`
      update ledger.link set reports = 2, last_report = 'phishing', reported_at = ${now}
       where account_id = ${dana.accountId}`;
    await mailboxes.block(mailboxes.hashOf(dana.email), "never_again");
    const { sections } = await heldAbout(ledger, parts, dana.accountId, now);
    const recordsOf = (name: string) =>
      sections.find(({ section }) => section === name)?.records.map((record) => record[0]);
    expect(recordsOf("newsletter")).toEqual([
      { field: "email", text: dana.email },
      { field: "issue", text: "welcome" },
      { field: "status", word: "do-not-mail" },
    ]);
    expect(recordsOf("waitlist")).toEqual([{ field: "place", word: "confirmed" }]);
    expect(recordsOf("operators")).toEqual([{ field: "action", word: "message-read" }]);
    expect(JSON.stringify(sections)).not.toContain("noa");
    const [link] = sections.find(({ section }) => section === "links")?.records ?? [];
    expect(link).toContainEqual({ field: "reports", count: 2 });
    expect(link).toContainEqual({ field: "reason", word: "phishing" });
  });

  it("names the recipients of the last three years, and how each is notified", async () => {
    const [dana] = people;
    const source = recipientsHeld(recipientSources);
    const person = { accountId: dana.accountId, at: now, email: async () => dana.email };
    const records = await source.collect(ledger, person);
    expect(records.map(([recipient]) => recipient)).toEqual([
      { field: "recipient", word: "mail-provider" },
      { field: "recipient", word: "link-visitors" },
    ]);
    expect(records[0]).toContainEqual({ field: "on-deletion", word: "passes-mail-on" });
    const old = async () => [
      { recipient: "payment-provider", name: null, firstAt: now, lastAt: now } as const,
    ];
    const later = { ...person, at: instantPlus(now, 3 * 366 * 24 * 60 * 60_000) };
    expect(await recipientsHeld([old]).collect(ledger, person)).toHaveLength(1);
    expect(await recipientsHeld([old]).collect(ledger, later)).toHaveLength(0);
  });

  it("is shown without the stores that do not answer, which are named", async () => {
    const [dana] = people;
    const unreachable = async () => {
      throw new Error("The accounts service does not answer");
    };
    const silent = { ...parts, contactOf: unreachable, accountHeld: unreachable };
    const held = await heldAbout(ledger, silent, dana.accountId, now);
    expect(held.sections.map(({ section }) => section)).toEqual([
      "links",
      "webhooks",
      "applications",
    ]);
    expect(held.missing.toSorted((one, other) => one.localeCompare(other))).toEqual([
      "account",
      "messages",
      "newsletter",
      "operators",
      "profile",
      "public-page",
      "sign-in",
      "waitlist",
    ]);
  });
});
