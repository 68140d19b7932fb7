import { randomUUID } from "node:crypto";

import { MailDelayed } from "@pro-talent/platform/mail/mailer";
import type { ScriptedSmtp } from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { testCause } from "../../testing/create-test-ledger.ts";
import { countDeliveries } from "./issue/delivery-store.ts";
import { deliverIssueMessage, issueIdOf, releaseIssue } from "./issue/issues.ts";
import { sampleIssue } from "./issue/testing/issues.ts";
import { newsletterTimerHandlers } from "./messages.ts";
import { confirmAddressMessage, mailDeliveredTimer, welcomeMessage } from "./subscribers.ts";
import {
  type MailedNewsletter,
  newAddress,
  openMailedNewsletter,
} from "./testing/mailed-newsletter.ts";
import {
  type NewsletterService,
  subscribeAndConfirm,
  subscribeBody,
} from "./testing/newsletter-service.ts";

const postalAddress = "1 Herzl Street, Tel Aviv";
const listId = ["Pro Talent Newsletter <newsletter.talent.example>"];

let mailed: MailedNewsletter;
let service: NewsletterService;
let smtp: ScriptedSmtp;
let origin: string;
beforeAll(async () => {
  mailed = await openMailedNewsletter({ MAIL_POSTAL_ADDRESS: postalAddress });
  ({ service, smtp } = mailed);
  origin = service.ledger.publicOrigin;
});
afterEach(() => smtp.forget());
afterAll(() => mailed.close());

const subscribe = (email: string, change = {}) =>
  service.post(subscribePath, subscribeBody(email, change));
const waitlist = { sourceContext: "signup_page", tags: ["signup_page", "waitlist"] };

const deliver: MailedNewsletter["deliver"] = (name, payload) => mailed.deliver(name, payload);
const deliverNewest = () => mailed.deliverNewest();

describe("the mail that asks to confirm", () => {
  it.each([
    ["en", {}, "Please confirm your address", "ltr"],
    ["en", waitlist, "Confirm your place on the waitlist", "ltr"],
    ["he", {}, "נותר לאשר את הכתובת", "rtl"],
    ["he", waitlist, "נותר לאשר את המקום ברשימת ההמתנה", "rtl"],
  ])("in %s, with %o, has a button that confirms", async (language, change, subject, direction) => {
    const email = newAddress();
    await subscribe(email, { language, ...change });
    await deliverNewest();
    const mail = await smtp.mailTo(email);
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(`dir="${direction}"`);
    expect(mail.text).toContain("48");
    expect(mail.text).toContain("I agree to receive newsletter updates");
    expect(mail.headers.get("auto-submitted")).toEqual(["auto-generated"]);
    expect(mail.headers.has("list-unsubscribe")).toBe(false);
    expect(mail.headers.get("list-id")).toEqual(listId);
    expect(mail.text).toContain(postalAddress);
    const { token } = await service.newestMail();
    const link = `${origin}/newsletter/confirm?token=${token}`;
    expect(mail.html).toContain(link);
    expect(mail.text).toContain(link);
    const answer = await service.post(newsletterPaths.confirm, { token });
    expect(answer.json()).toEqual({ status: "confirmed", email });
  });

  it("repeats no text of the visitor who entered the address", async () => {
    const email = newAddress();
    await subscribe(email, { consentText: "Buy cheap watches at https://watches.example" });
    await deliverNewest();
    const { text, html } = await smtp.mailTo(email);
    expect(text + html).not.toContain("watches");
  });

  it("is not sent when a newer one was requested", async () => {
    const email = newAddress();
    await subscribe(email);
    const first = (await service.messages()).at(-1);
    await subscribe(email);
    await deliver(first?.name ?? "", first?.payload);
    expect(smtp.attempts(email)).toBe(0);
    await deliverNewest();
    expect(smtp.attempts(email)).toBe(1);
  });

  it("is not sent to subscribers who confirmed, left or were erased meanwhile", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    const payload = { subscriberId, mail: 1 };
    await deliver(confirmAddressMessage, payload);
    await service.post(newsletterPaths.unsubscribe, { token });
    await deliver(confirmAddressMessage, payload);
    await service.ledger.destroyKey(subscriberId);
    await deliver(confirmAddressMessage, payload);
    await deliver(confirmAddressMessage, { subscriberId: randomUUID(), mail: 1 });
    expect(smtp.attempts(email)).toBe(0);
  });

  it("has the same id at every attempt", async () => {
    await subscribe(newAddress());
    await deliverNewest();
    await deliverNewest();
    expect([...smtp.byMessageId().values()]).toEqual([2]);
  });

  it("that was accepted is a fact, and so is its delivery two days later", async () => {
    const email = newAddress();
    smtp.script(email, { refuseRecipient: 451 }, "accept");
    await subscribe(email);
    const { subscriberId } = await service.newestMail();
    const { owner } = service.ledger;
    const types = async () => {
      const rows = await owner<{ type: string; data: string }[]>`
        select type, data from ledger.event
         where stream = ${`newsletter-${subscriberId}`} and type like 'Mail%' order by pos`;
      return rows.map(({ type, data }) => `${type} ${data}`);
    };
    await expect(deliverNewest()).rejects.toBeInstanceOf(MailDelayed);
    expect(await types()).toEqual([]);
    await deliverNewest();
    await deliverNewest();
    expect(await types()).toEqual(['MailAccepted {"mail":"confirm-1"}']);
    const [timer] = await owner<{ due_at: Date }[]>`
      select due_at from ledger.due_timer where name = ${mailDeliveredTimer}
         and stream = ${`newsletter-${subscriberId}`}`;
    expect((timer?.due_at.getTime() ?? 0) - service.now()).toBe(48 * 60 * 60 * 1000);
    const now = instantFromMs(service.now() + 48 * 60 * 60 * 1000);
    const fire = newsletterTimerHandlers(service.ledger)[mailDeliveredTimer];
    await fire?.(subscriberId, { now, cause: testCause() });
    await fire?.(subscriberId, { now, cause: testCause() });
    expect(await types()).toContain('MailDelivered {"mail":"confirm-1"}');
    expect(await types()).toHaveLength(2);
  });

  it("that the server refuses permanently ends the subscription", async () => {
    const email = newAddress();
    smtp.script(email, { refuseRecipient: 550 });
    await subscribe(email);
    await deliverNewest();
    const { subscriberId } = await service.newestMail();
    expect(await service.statusOf(subscriberId)).toBe("bounced");
    await deliverNewest();
    expect(smtp.attempts(email)).toBe(1);
  });

  it("that the server refuses this time is tried again", async () => {
    const email = newAddress();
    smtp.script(email, { refuseRecipient: 451 }, "accept");
    await subscribe(email);
    await expect(deliverNewest()).rejects.toBeInstanceOf(MailDelayed);
    await deliverNewest();
    expect(smtp.byRecipient().get(email)).toBe(1);
  });
});

describe("the mail that welcomes", () => {
  it.each([
    ["en", {}, "Welcome to the Pro Talent newsletter", "unsubscribe"],
    ["en", waitlist, "You are on the Pro Talent waitlist", "unsubscribe"],
    ["he", {}, "ברוכים הבאים לניוזלטר של Pro Talent", "הסרה"],
    ["he", waitlist, "אישור הצטרפות לרשימת ההמתנה של Pro Talent", "הסרה"],
  ])("in %s, with %o, unsubscribes with one click", async (language, change, subject, word) => {
    const email = newAddress();
    const subscriber = await subscribeAndConfirm(service, email, { language, ...change });
    const { subscriberId, token } = subscriber;
    await deliverNewest();
    const mail = await smtp.mailTo(email);
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(`${origin}/newsletter/preferences?token=${token}`);
    expect(mail.text).toContain(word);
    expect(mail.headers.get("list-id")).toEqual(listId);
    expect(mail.html).toContain(postalAddress);
    const unsubscribe = `/api/newsletter/unsubscribe?token=${token}`;
    expect(mail.headers.get("list-unsubscribe")).toEqual([`<${origin}${unsubscribe}>`]);
    expect(mail.headers.get("list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
    await service.postForm(unsubscribe, "List-Unsubscribe=One-Click");
    smtp.forget();
    await deliver(welcomeMessage, { subscriberId });
    expect(smtp.attempts(email)).toBe(0);
  });
});

describe("the mail with a new link to the preferences", () => {
  it.each([
    ["en", "Your newsletter preferences"],
    ["he", "ההעדפות של הניוזלטר"],
  ])("in %s, opens them, and is not sent to a subscriber who left", async (language, subject) => {
    const email = newAddress();
    const { token } = await subscribeAndConfirm(service, email, { language });
    await service.post(newsletterPaths.preferencesLink, { email });
    await deliverNewest();
    await deliverNewest();
    const mail = await smtp.mailTo(email);
    expect(mail.subject).toBe(subject);
    expect(mail.text).toContain(`${origin}/newsletter/preferences?token=${token}`);
    expect(mail.headers.get("list-id")).toEqual(listId);
    expect(mail.text).toContain(postalAddress);
    expect([...smtp.byMessageId().values()]).toEqual([2]);
    const request = (await service.messages()).at(-1);
    await service.post(newsletterPaths.unsubscribe, { token });
    smtp.forget();
    await deliver(request?.name ?? "", request?.payload);
    expect(smtp.attempts(email)).toBe(0);
  });
});

describe("an issue", () => {
  // So that each test has the only subscriber.
  beforeEach(async () => {
    await service.ledger.owner`update ledger.newsletter_subscriber set status = 'complained'`;
  });

  /** Releases an issue and delivers its first part. @returns the states of its deliveries */
  async function deliverIssue(beforeDelivery: () => Promise<unknown> = async () => undefined) {
    const issue = sampleIssue();
    const issueId = issueIdOf(issue.slug);
    const now = instantFromMs(service.now());
    await releaseIssue(service.ledger.ledger, issue, { now, cause: testCause("operator") });
    // The first part lists the deliveries.
    await service.ledger.sql`select ledger.begin_issue_part(${issueId}, 1)`;
    await beforeDelivery();
    await deliver(deliverIssueMessage, { issueId, part: 1 });
    return await countDeliveries(service.ledger.sql, issueId);
  }

  it("is sent to subscribers with their links, until they leave", async () => {
    const email = newAddress();
    const { token } = await subscribeAndConfirm(service, email, { language: "he" });
    expect(await deliverIssue()).toMatchObject({ sent: 1, skipped: 0 });
    const mail = await smtp.mailTo(email);
    expect(mail.subject).toBe("ראשון");
    expect(mail.headers.get("list-id")).toEqual(listId);
    expect(mail.text).toContain(`השולח: Pro Talent, ${postalAddress}`);
    expect(mail.html).toContain(postalAddress);
    expect(mail.text).toContain(`${origin}/newsletter/preferences?token=${token}`);
    expect(mail.headers.get("list-unsubscribe")).toEqual([
      `<${origin}/api/newsletter/unsubscribe?token=${token}>`,
    ]);
    const leave = () => service.post(newsletterPaths.unsubscribe, { token });
    expect(await deliverIssue(leave)).toMatchObject({ sent: 0, skipped: 1 });
    expect(smtp.attempts(email)).toBe(1);
  });

  it("that a server refuses permanently ends that subscription", async () => {
    const email = newAddress();
    const { subscriberId } = await subscribeAndConfirm(service, email);
    smtp.script(email, { refuseRecipient: 550 });
    expect(await deliverIssue()).toMatchObject({ sent: 0, refused: 1 });
    expect(await service.statusOf(subscriberId)).toBe("bounced");
  });
});
