import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import type { ContactDetails } from "@pro-talent/schemas/contact/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { deliverMessage, type MessageHandlers } from "../../kernel/outbox.ts";
import { log } from "../../kernel/testing/ledger-workers.ts";
import { sweepTimers } from "../../kernel/timers.ts";
import { createTestLedger, testCause, type TestLedger } from "../../testing/create-test-ledger.ts";
import { openContactMessage, settleMatter } from "./contact-messages.ts";
import { contactMessageHandlers, contactTimerHandlers } from "./messages.ts";
import { type NewMessage, sendContactMessage } from "./send-contact-message.ts";
import { newAddress, newMessage } from "./testing/contact-samples.ts";

const supportAddress = "support@talent.example";
let ledger: TestLedger;
let smtp: ScriptedSmtp;
let mailer: Mailer;
let handlers: MessageHandlers;

beforeAll(async () => {
  [ledger, smtp] = await Promise.all([createTestLedger(), startScriptedSmtp()]);
  mailer = connectMailer({
    smtpUrl: smtp.url,
    from: { name: "Pro Talent", address: "hello@talent.example" },
  });
  const stopping = new AbortController().signal;
  handlers = contactMessageHandlers({ ...ledger, mailer, stopping }, supportAddress);
});
afterEach(() => smtp.forget());
afterAll(async () => {
  await mailer.close();
  await smtp.stop();
  await ledger.drop();
});

const issuedBy = (actor: string) => ({ now: instantFromMs(Date.now()), cause: testCause(actor) });

/** Sends a contact message. @returns its address, and the ids of its outbox messages by name */
async function send(details: Partial<ContactDetails> = {}, change: Partial<NewMessage> = {}) {
  const message = newMessage({ email: newAddress(), ...details }, change);
  await sendContactMessage(ledger, message, issuedBy("visitor"));
  const rows = await ledger.sql<{ id: number; name: string; message: string }[]>`
    select o.id, o.name, o.payload->>'messageId' as message
      from ledger.outbox o join ledger.command c on c.first_pos = o.pos
     where c.command_id = ${message.commandId} order by o.id`;
  return {
    email: message.details.email,
    messageId: rows[0]?.message ?? "",
    mails: new Map(rows.map(({ name, id }) => [name, id])),
  };
}

const deliver = (mails: ReadonlyMap<string, number>, name: string) =>
  deliverMessage(ledger.sql, handlers, mails.get(name) ?? -1);

/** Delivers the two mails of a message. */
async function deliverBoth(mails: ReadonlyMap<string, number>): Promise<void> {
  expect(await deliver(mails, "contact.notify-support")).toBe("delivered");
  expect(await deliver(mails, "contact.acknowledge")).toBe("delivered");
}

describe("acknowledgements under many names of one mailbox", () => {
  it("are a handful a day, and none for a mailbox on the do-not-mail list", async () => {
    for (let name = 0; name < 12; name += 1) {
      await deliverBoth((await send({ email: `noa.levi+${name}@gmail.com` })).mails);
    }
    const toNames = () => smtp.accepted().filter(({ to }) => to !== supportAddress).length;
    expect(toNames()).toBe(5);
    await ledger.mailboxes.block(ledger.mailboxes.hashOf("dan@example.com"), "complaint");
    await deliverBoth((await send({ email: "Dan+form@example.com" })).mails);
    expect(toNames()).toBe(5);
    expect(smtp.byRecipient().get(supportAddress)).toBe(13);
  });
});

describe("a contact message that was recorded", () => {
  it("is mailed to support, who answer the sender, and acknowledged to the sender", async () => {
    const { email, messageId, mails } = await send();
    await deliverBoth(mails);
    const notification = await smtp.mailTo(supportAddress);
    expect(notification.subject).toMatch(
      /^\[PT-[0-9A-Z]{4}-[0-9A-Z]{4}\] Something does not work$/,
    );
    expect(notification.headers.get("reply-to")).toEqual([`Noa Levi <${email}>`]);
    expect(notification.text).toContain("> Really nothing.");
    expect(notification.messageId).toBe(`<contact-support-${messageId}@talent.example>`);
    const acknowledged = await smtp.mailTo(email);
    expect(acknowledged.headers.get("reply-to")).toEqual([supportAddress]);
    expect(acknowledged.headers.get("auto-submitted")).toEqual(["auto-generated"]);
    expect(acknowledged.text).toContain("24-48 hours");
    // Any visitor can enter any address: nothing of what was entered is mailed there.
    expect(acknowledged.text).not.toContain("Really nothing.");
    expect(smtp.accepted()).toHaveLength(2);
  });

  it("in Hebrew is acknowledged in Hebrew, from right to left", async () => {
    const { email, mails } = await send({ message: "הכפתור לא עושה כלום" }, { language: "he" });
    await deliverBoth(mails);
    const mail = await smtp.mailTo(email);
    expect(mail.html).toMatch(/<html[^>]* dir="rtl"/);
    expect(mail.headers.get("content-language")).toEqual(["he"]);
    expect(mail.subject).toContain("הפנייה הגיעה אלינו");
    expect(mail.text).toContain("בתוך 24-48 שעות");
  });

  it("with line ends, markup and bidi overrides everywhere leads to mails with two recipients", async () => {
    const nasty = '</p><script>x()</script>\u202E"\r\nBcc: victim@example.com\r\n\r\nOwned';
    const { email, mails } = await send({ name: nasty, subject: nasty, message: nasty });
    await deliverBoth(mails);
    expect(Object.fromEntries(smtp.byRecipient())).toEqual({ [supportAddress]: 1, [email]: 1 });
    for (const { read } of smtp.accepted()) {
      const { headers, html } = read();
      expect(headers.has("bcc")).toBe(false);
      expect(html).not.toContain("<script>");
      expect(html).not.toContain("\u202E");
    }
  });

  it("that was erased before its mails were due leads to no mail", async () => {
    const { messageId, mails } = await send();
    await ledger.destroyKey(messageId);
    await deliverBoth(mails);
    expect(smtp.accepted()).toEqual([]);
  });
});

describe("a mail that is not accepted", () => {
  it("by the sender's server is not tried again; support has the message all the same", async () => {
    const { email, mails } = await send();
    smtp.script(email, { refuseRecipient: 550 });
    await deliverBoth(mails);
    expect(await deliver(mails, "contact.acknowledge")).toBe("elsewhere");
    expect([...smtp.byRecipient().keys()]).toEqual([supportAddress]);
  });

  it("at first is tried again later, under the same id, and then arrives once", async () => {
    const { email, mails } = await send();
    smtp.script(email, { refuseRecipient: 451 }, "drop", "accept");
    await expect(deliver(mails, "contact.acknowledge")).rejects.toMatchObject({
      name: "MailDelayed",
    });
    expect(await deliver(mails, "contact.acknowledge")).toBe("uncertain");
    expect(await deliver(mails, "contact.acknowledge")).toBe("delivered");
    expect(smtp.byRecipient().get(email)).toBe(1);
  });

  it("by support's server is always tried again", async () => {
    const { mails } = await send();
    smtp.script(supportAddress, { refuseRecipient: 550 }, "accept");
    await expect(deliver(mails, "contact.notify-support")).rejects.toMatchObject({
      name: "MailRefused",
    });
    expect(await deliver(mails, "contact.notify-support")).toBe("delivered");
  });

  it("because the address is no mail address is not tried again; support is notified", async () => {
    const { email, mails } = await send({ email: "noa..levi@example.com" });
    await deliverBoth(mails);
    const notification = await smtp.mailTo(supportAddress);
    expect(notification.headers.has("reply-to")).toBe(false);
    expect(notification.text).toContain(email);
    expect(smtp.accepted()).toHaveLength(1);
  });

  it("fails without any detail of the message in the error", async () => {
    const { email, mails } = await send({ message: "Unmistakable words" });
    smtp.script(email, { refuseMail: 451, text: `no ${email} here` });
    const failure: unknown = await deliver(mails, "contact.acknowledge").catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toMatch(/sender-|Unmistakable/);
  });
});

it("settling a matter erases the details of the message; its mails are sent no more", async () => {
  const { messageId, mails } = await send();
  await deliver(mails, "contact.notify-support");
  const settle = () => settleMatter(ledger.ledger, messageId, issuedBy("operator"));
  expect(await settle()).toMatchObject({ how: "recorded" });
  expect(await settle()).toMatchObject({ how: "unchanged" });
  const timers = contactTimerHandlers(ledger);
  expect(await sweepTimers({ sql: ledger.sql, log, handlers: timers })).toBe(1);
  expect(await openContactMessage(ledger, messageId)).toBeUndefined();
  expect(await ledger.subjects.find(messageId)).toBeUndefined();
  expect(await deliver(mails, "contact.acknowledge")).toBe("delivered");
  expect([...smtp.byRecipient().keys()]).toEqual([supportAddress]);
});

it.each([{}, { messageId: "1" }, "x", null])(
  "no handler accepts the payload %j",
  async (payload) => {
    for (const handler of Object.values(handlers)) {
      await expect(handler(payload, testCause())).rejects.toMatchObject({ name: "ZodError" });
    }
  },
);
