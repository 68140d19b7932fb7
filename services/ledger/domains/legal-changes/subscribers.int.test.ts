import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import { dayPlus } from "@pro-talent/schemas/primitives/calendar";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { legalVersions } from "@pro-talent/schemas/site/legal-documents";
import { afterAll, beforeAll, expect, it } from "vitest";

import { type LegalChangesService, openLegalChanges } from "../../testing/open-legal-changes.ts";
import type { NewsletterCommand } from "../newsletter/decider.ts";
import { requestSubscription } from "../newsletter/request-subscription.ts";
import {
  commandSubscriber,
  newsletterConsents,
  newsletterEraser,
  newsletterSubscriber,
  readSubscriberState,
} from "../newsletter/subscribers.ts";
import { countNotices, noticesOf } from "./changes.ts";

let legal: LegalChangesService;
beforeAll(async () => {
  legal = await openLegalChanges(Date.now());
});
afterAll(() => legal.ledger.drop());

async function command(id: string, issued: NewsletterCommand): Promise<void> {
  const result = await commandSubscriber(legal.ledger.ledger, id, issued, legal.why());
  expect(result.kind).toBe("answer");
}

async function subscriber(email: string, language: Locale = "en", isConfirmed = true) {
  const consentText = newsletterConsentTexts[0]?.text[language] ?? "";
  const request = {
    email,
    language,
    consentText,
    sourceContext: "signup_page" as const,
    preferences: { frequency: "weekly" as const, topics: [] },
    tags: ["waitlist" as const],
  };
  await requestSubscription(legal.ledger, request, legal.why());
  const id = await legal.ledger.subjects.idOfAddress(newsletterSubscriber, email);
  if (id === undefined) throw new Error("There is no subscriber");
  if (isConfirmed) await command(id, { type: "ConfirmSubscription", mail: 1 });
  return id;
}
const mailsTo = (email: string) => legal.mails.filter(({ to }) => to.address === email);

it("each confirmed subscriber gets one notice, in their language, with a way to leave", async () => {
  const [dana, tom] = [
    await subscriber("dana@example.com", "he"),
    await subscriber("tom@example.com"),
  ];
  const unconfirmed = await subscriber("unconfirmed@example.com", "en", false);
  const { changeId, day } = await legal.announce(31);
  await legal.pass(10);
  const [mail, ...more] = mailsTo("dana@example.com");
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("תנאי השימוש שלנו משתנים");
  expect(mail?.text).toContain("אפשר לבטל את ההרשמה לפני היום הזה");
  expect(mail?.text).toContain(`/terms/versions/${day}`);
  expect(mail?.text).toContain("/newsletter/preferences?token=");
  expect(mailsTo("tom@example.com").length).toBe(1);
  expect(mailsTo("unconfirmed@example.com")).toEqual([]);
  expect(await noticesOf(legal.ledger.sql, unconfirmed)).toEqual([]);
  expect(await legal.effectiveOn(dana, changeId)).toBe(day);
  expect(await legal.effectiveOn(tom, changeId)).toBe(day);
  expect(await countNotices(legal.ledger.sql, changeId)).toEqual([
    { recipient: "subscriber", delivered: 2, refused: 0, waiting: 0 },
  ]);
});

it("who confirms after the announcement gets the notice then", async () => {
  const { changeId, day } = await legal.announce(31);
  await legal.pass(3);
  const late = await subscriber("late@example.com");
  await legal.pass(1);
  expect(await legal.effectiveOn(late, changeId)).toBe(dayPlus(day, 3));
});

it("a person with an account at the same address gets one mail: that of the account", async () => {
  const email = "both@example.com";
  const subscribed = await subscriber(email);
  const accountId = await legal.account("2026-11-22", "en", email);
  const { changeId } = await legal.announce(31);
  await legal.pass(10);
  const received = mailsTo(email).filter(({ text }) => text.includes("your account"));
  expect(mailsTo(email).length).toBe(received.length);
  expect(await legal.noticeOf(subscribed, changeId)).toBeUndefined();
  expect(await legal.noticeOf(accountId, changeId)).not.toBeUndefined();
});

it("neither do-not-mail mailboxes nor erased subscribers get a notice, and nothing of them is kept", async () => {
  const [blocked, erased, left] = [
    await subscriber("blocked@example.com"),
    await subscriber("erased@example.com"),
    await subscriber("left@example.com"),
  ];
  const { mailboxes } = legal.ledger;
  await mailboxes.block(mailboxes.hashOf("blocked@example.com"), "never_again");
  await legal.announce(31);
  await newsletterEraser.erase(legal.worker, { email: "erased@example.com" }, legal.why());
  await command(left, { type: "Unsubscribe", method: "one_click" });
  legal.mails.length = 0;
  await legal.pass(2);
  expect(legal.mails.map(({ to }) => to.address)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:blocked|erased|left)@/u)]),
  );
  for (const id of [blocked, erased, left])
    expect(await noticesOf(legal.ledger.sql, id)).toEqual([]);
});

it("a subscriber who is erased after the notice leaves no row", async () => {
  const id = await subscriber("later@example.com");
  await legal.announce(31);
  await legal.pass(1);
  expect(await noticesOf(legal.ledger.sql, id)).not.toEqual([]);
  await newsletterEraser.erase(legal.worker, { email: "later@example.com" }, legal.why());
  await legal.pass(1);
  expect(await noticesOf(legal.ledger.sql, id)).toEqual([]);
});

it("a mailbox that refuses the notice ends the subscription, as with every mail to it", async () => {
  const id = await subscriber("full@example.com");
  legal.refusing.add("full@example.com");
  const { changeId } = await legal.announce(31);
  await legal.pass(1);
  expect((await readSubscriberState(legal.ledger.ledger, id)).status).toBe("bounced");
  expect(await legal.noticeOf(id, changeId)).toMatchObject({ refused: true, deliveredOn: null });
  legal.refusing.clear();
  // The mailbox accepts another mail within the 30 days: the subscription goes on, and the notice arrives.
  await command(id, { type: "RecordAcceptance", mail: "welcome-1" });
  await legal.pass(8);
  expect(await legal.noticeOf(id, changeId)).toMatchObject({ refused: false });
  expect(await legal.effectiveOn(id, changeId)).not.toBeNull();
});

it("a subscription names the versions of terms and policy that its text accepts", async () => {
  const id = await subscriber("versions@example.com", "he");
  const consents = await newsletterConsents(legal.ledger, { email: "versions@example.com" });
  expect(consents.map(({ subject, version, language }) => [subject, version, language])).toEqual([
    ["newsletter", newsletterConsentTexts[0]?.version, "he"],
    ["terms", legalVersions.terms, "he"],
    ["privacy", legalVersions.privacy, "he"],
  ]);
  await legal.follow();
  const rows = await legal.ledger.owner`
    select terms, privacy, confirmed from ledger.legal_subscriber where subscriber_id = ${id}`;
  expect(rows).toEqual([{ ...legalVersions, confirmed: true }]);
});

it("more subscribers than are read at once get their notices", async () => {
  // Lists that do not fit into one step, without the cost of so many subscriptions.
  await legal.ledger.owner`
    insert into ledger.legal_subscriber (subscriber_id, confirmed, terms, privacy, pos)
    select gen_random_uuid(), true, '', '', (select max(pos) from ledger.event) from generate_series(1, 150)`;
  const { changeId } = await legal.announce(40);
  await legal.requireAll();
  const counts = await countNotices(legal.ledger.sql, changeId);
  expect(counts.find(({ recipient }) => recipient === "subscriber")?.waiting).toBeGreaterThan(150);
});
