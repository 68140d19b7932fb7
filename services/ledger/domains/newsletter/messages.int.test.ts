import { randomUUID } from "node:crypto";

import { connectMailer, MailDelayed, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import { newsletterPaths, subscribePath } from "@pro-talent/schemas/newsletter/categories";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { MessageHandlers } from "../outbox/message-handlers.ts";
import { newsletterLinks } from "./links.ts";
import { createNewsletterHandlers } from "./message-handlers.ts";
import { createReaderLookup } from "./read-subscriber.ts";
import {
  manageToken,
  type NewsletterService,
  openNewsletterService,
  publicOrigin,
  subscribeAndConfirm,
  tokenKey,
  wish,
} from "./testing/newsletter-service.ts";

let service: NewsletterService;
let smtp: ScriptedSmtp;
let mailer: Mailer;
let handlers: MessageHandlers;
beforeAll(async () => {
  [service, smtp] = await Promise.all([openNewsletterService(), startScriptedSmtp()]);
  const from = { name: "Pro Talent", address: "letters@talent.example" };
  mailer = connectMailer({ smtpUrl: smtp.url, from });
  const { store, subjects } = service.ledger;
  const mailing = { store, subjects, mailer, origin: publicOrigin, tokenKey, clock: service.now };
  handlers = createNewsletterHandlers(mailing);
});
afterEach(() => smtp.forget());
afterAll(async () => {
  await mailer.close();
  await Promise.all([smtp.stop(), service.close()]);
});

const newAddress = (): string => `reader-${randomUUID()}@example.com`;
const waitlist = { sourceContext: "signup_page", tags: ["signup_page", "waitlist"] };

/** Delivers a message of the outbox, as its host does. */
async function deliver(name: string, payload: unknown): Promise<void> {
  const handler = handlers[name];
  if (handler === undefined) throw new Error(`Nobody delivers ${name}`);
  await handler(payload);
}

/** Delivers the newest message of the outbox. */
async function deliverNewest(): Promise<void> {
  const newest = (await service.messages()).at(-1);
  await deliver(newest?.name ?? "", newest?.payload);
}

describe("the mail that asks to confirm", () => {
  it.each([
    ["en", {}, "Please confirm your address", "ltr"],
    ["en", waitlist, "Confirm your place on the waitlist", "ltr"],
    ["he", {}, "נותר לאשר את הכתובת", "rtl"],
    ["he", waitlist, "נותר לאשר את המקום ברשימת ההמתנה", "rtl"],
  ])("in %s, with %o, has a button that confirms", async (language, change, subject, direction) => {
    const email = newAddress();
    await service.post(subscribePath, wish(email, { language, ...change }));
    await deliverNewest();
    const mail = await smtp.mailTo(email);
    expect(mail.subject).toBe(subject);
    expect(mail.html).toContain(`dir="${direction}"`);
    expect(mail.text).toContain("48");
    expect(mail.text).toContain("I agree to receive newsletter updates");
    expect(mail.headers.get("auto-submitted")).toEqual(["auto-generated"]);
    expect(mail.headers.has("list-unsubscribe")).toBe(false);
    const { token } = await service.newestMail();
    const link = `${publicOrigin}/newsletter/confirm?token=${token}`;
    expect(mail.html).toContain(link);
    expect(mail.text).toContain(link);
    const answer = await service.post(newsletterPaths.confirm, { token });
    expect(answer.json()).toEqual({ status: "confirmed", email });
  });

  it("repeats no words of whoever entered the address", async () => {
    const email = newAddress();
    const consentText = "Buy cheap watches at https://watches.example";
    await service.post(subscribePath, wish(email, { consentText }));
    await deliverNewest();
    const { text, html } = await smtp.mailTo(email);
    expect(text + html).not.toContain("watches");
  });

  it("is not sent when a newer one was asked for", async () => {
    const email = newAddress();
    await service.post(subscribePath, wish(email));
    const first = (await service.messages()).at(-1);
    await service.post(subscribePath, wish(email));
    await deliver(first?.name ?? "", first?.payload);
    expect(smtp.attempts(email)).toBe(0);
    await deliverNewest();
    expect(smtp.attempts(email)).toBe(1);
  });

  it("is not sent to who confirmed, left or is gone meanwhile", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email);
    const payload = { subscriberId, mail: 1 };
    await deliver("newsletter.confirm-address", payload);
    await service.post(newsletterPaths.unsubscribe, { token });
    await deliver("newsletter.confirm-address", payload);
    await service.ledger.subjects.shred(subscriberId);
    await deliver("newsletter.confirm-address", payload);
    await deliver("newsletter.confirm-address", { subscriberId: randomUUID(), mail: 1 });
    expect(smtp.attempts(email)).toBe(0);
  });

  it("has the same id at every attempt", async () => {
    const email = newAddress();
    await service.post(subscribePath, wish(email));
    await deliverNewest();
    await deliverNewest();
    expect([...smtp.byMessageId().values()]).toEqual([2]);
  });

  it("that the server refuses for good ends it: the address takes no mail", async () => {
    const email = newAddress();
    smtp.script(email, { refuseRecipient: 550 });
    await service.post(subscribePath, wish(email));
    await deliverNewest();
    const { subscriberId } = await service.newestMail();
    expect(
      await service.ledger.sql`
      select status from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`,
    ).toEqual([{ status: "bounced" }]);
    await deliverNewest();
    expect(smtp.attempts(email)).toBe(1);
  });

  it("that the server refuses for now is tried again", async () => {
    const email = newAddress();
    smtp.script(email, { refuseRecipient: 451 }, "accept");
    await service.post(subscribePath, wish(email));
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
  ])("in %s, with %o, can be left with one click", async (language, change, subject, word) => {
    const email = newAddress();
    const { subscriberId } = await subscribeAndConfirm(service, email, { language, ...change });
    await deliverNewest();
    const mail = await smtp.mailTo(email);
    expect(mail.subject).toBe(subject);
    const token = manageToken(subscriberId);
    expect(mail.text).toContain(`${publicOrigin}/newsletter/preferences?token=${token}`);
    expect(mail.text).toContain(word);
    const leave = `${publicOrigin}/api/newsletter/unsubscribe?token=${token}`;
    expect(mail.headers.get("list-unsubscribe")).toEqual([`<${leave}>`]);
    expect(mail.headers.get("list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
    await service.postForm(leave.slice(publicOrigin.length), "List-Unsubscribe=One-Click");
    smtp.forget();
    await deliver("newsletter.welcome", { subscriberId });
    expect(smtp.attempts(email)).toBe(0);
  });
});

describe("whoever delivers an issue", () => {
  const lookup = (subscriberId: string) =>
    createReaderLookup(
      service.ledger,
      newsletterLinks({ origin: publicOrigin, tokenKey }),
    )(subscriberId);

  it("is told where a reader is to be found, until the reader leaves", async () => {
    const email = newAddress();
    const { subscriberId, token } = await subscribeAndConfirm(service, email, { language: "he" });
    expect(await lookup(subscriberId)).toEqual({
      email,
      language: "he",
      manageUrl: `${publicOrigin}/newsletter/preferences?token=${token}`,
      unsubscribeUrl: `${publicOrigin}/api/newsletter/unsubscribe?token=${token}`,
    });
    await service.post(newsletterPaths.unsubscribe, { token });
    expect(await lookup(subscriberId)).toBeUndefined();
    expect(await lookup(randomUUID())).toBeUndefined();
  });
});
