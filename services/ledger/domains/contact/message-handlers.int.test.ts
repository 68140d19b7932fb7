import { randomUUID } from "node:crypto";

import { connectMailer, type Mailer } from "@pro-talent/platform/mail/mailer";
import {
  type ScriptedSmtp,
  startScriptedSmtp,
} from "@pro-talent/platform/mail/testing/start-scripted-smtp";
import type { ContactLetter } from "@pro-talent/schemas/contact/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { deliverMessage } from "../outbox/deliver.ts";
import type { MessageHandlers } from "../outbox/message-handlers.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { createContactHandlers } from "./message-handlers.ts";
import { openLetter } from "./open-letter.ts";
import { type NewMessage, sendMessage } from "./send-message.ts";
import { settleMatter } from "./settle-matter.ts";

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
  handlers = createContactHandlers({
    store: ledger.store,
    subjects: ledger.subjects,
    mailer,
    supportAddress,
    origin: "https://talent.example",
  });
});
afterEach(() => smtp.forget());
afterAll(async () => {
  await mailer.close();
  await smtp.stop();
  await ledger.drop();
});

const newAddress = (): string => `writer-${randomUUID()}@example.com`;

/** Keeps a message; tells the ids of what the outbox holds of it, by name. */
async function keep(letter: Partial<ContactLetter>, change: Partial<NewMessage> = {}) {
  const message: NewMessage = {
    commandId: randomUUID(),
    category: "bug",
    language: "en",
    suspected: false,
    letter: {
      name: "Noa Levi",
      email: newAddress(),
      subject: "bug",
      message: "The button does nothing.\nReally nothing.",
      sessionId: null,
      ...letter,
    },
    ...change,
  };
  await sendMessage(ledger, message, instantFromMs(Date.now()));
  const rows = await ledger.sql<{ id: number; name: string; message: string }[]>`
    select o.id, o.name, o.payload->>'messageId' as message
      from ledger.outbox o join ledger.command c on c.first_pos = o.pos
     where c.command_id = ${message.commandId} order by o.id`;
  return {
    email: message.letter.email,
    messageId: rows[0]?.message ?? "",
    mails: new Map(rows.map(({ name, id }) => [name, id])),
  };
}

const deliver = (mails: ReadonlyMap<string, number>, name: string) =>
  deliverMessage(ledger.sql, handlers, mails.get(name) ?? -1);

async function deliverBoth(mails: ReadonlyMap<string, number>): Promise<void> {
  expect(await deliver(mails, "contact.notify-support")).toBe("delivered");
  expect(await deliver(mails, "contact.acknowledge")).toBe("delivered");
}

describe("a message that was kept", () => {
  it("is mailed to support, who answer the writer, and acknowledged to the writer", async () => {
    const { email, messageId, mails } = await keep({});
    await deliverBoth(mails);
    const told = await smtp.mailTo(supportAddress);
    expect(told.subject).toMatch(/^\[PT-[0-9A-Z]{4}-[0-9A-Z]{4}\] Something does not work$/);
    expect(told.headers.get("reply-to")).toEqual([`Noa Levi <${email}>`]);
    expect(told.text).toContain("> Really nothing.");
    expect(told.messageId).toBe(`<contact-support-${messageId}@talent.example>`);
    const acknowledged = await smtp.mailTo(email);
    expect(acknowledged.headers.get("reply-to")).toEqual([supportAddress]);
    expect(acknowledged.headers.get("auto-submitted")).toEqual(["auto-generated"]);
    expect(acknowledged.text).toContain("24-48 hours");
    // Anybody can enter anybody's address: no stranger's words are carried there.
    expect(acknowledged.text).not.toContain("Really nothing.");
    expect(smtp.accepted()).toHaveLength(2);
  });

  it("in Hebrew is acknowledged in Hebrew, from right to left", async () => {
    const { email, mails } = await keep({ message: "הכפתור לא עושה כלום" }, { language: "he" });
    await deliverBoth(mails);
    const mail = await smtp.mailTo(email);
    expect(mail.html).toMatch(/<html[^>]* dir="rtl"/);
    expect(mail.headers.get("content-language")).toEqual(["he"]);
    expect(mail.subject).toContain("הפנייה הגיעה אלינו");
    expect(mail.text).toContain("בתוך 24-48 שעות");
  });

  it("with line ends, markup and bidi overrides everywhere leads to mails with two recipients", async () => {
    const nasty = '</p><script>x()</script>\u202E"\r\nBcc: victim@example.com\r\n\r\nOwned';
    const { email, mails } = await keep({ name: nasty, subject: nasty, message: nasty });
    await deliverBoth(mails);
    expect(Object.fromEntries(smtp.byRecipient())).toEqual({ [supportAddress]: 1, [email]: 1 });
    for (const { read } of smtp.accepted()) {
      const { headers, html } = read();
      expect(headers.has("bcc")).toBe(false);
      expect(html).not.toContain("<script>");
      expect(html).not.toContain("\u202E");
    }
  });

  it("that was erased before its mails were due leads to none", async () => {
    const { messageId, mails } = await keep({});
    await ledger.subjects.shred(messageId);
    await deliverBoth(mails);
    expect(smtp.accepted()).toEqual([]);
  });
});

describe("a mail that does not get through", () => {
  it("to an address that takes none is settled; support knows all the same", async () => {
    const { email, mails } = await keep({});
    smtp.script(email, { refuseRecipient: 550 });
    await deliverBoth(mails);
    expect(await deliver(mails, "contact.acknowledge")).toBe("elsewhere");
    expect([...smtp.byRecipient().keys()]).toEqual([supportAddress]);
  });

  it("is tried again later, under the same id, and then arrives once", async () => {
    const { email, mails } = await keep({});
    smtp.script(email, { refuseRecipient: 451 }, "drop", "accept");
    for (const attempt of [1, 2]) {
      await expect(deliver(mails, "contact.acknowledge"), `${attempt}`).rejects.toMatchObject({
        name: "MailDelayed",
      });
    }
    expect(await deliver(mails, "contact.acknowledge")).toBe("delivered");
    expect(smtp.byRecipient().get(email)).toBe(1);
  });

  it("to support is never given up at once, whatever the server says", async () => {
    const { mails } = await keep({});
    smtp.script(supportAddress, { refuseRecipient: 550 }, "accept");
    await expect(deliver(mails, "contact.notify-support")).rejects.toMatchObject({
      name: "MailRefused",
    });
    expect(await deliver(mails, "contact.notify-support")).toBe("delivered");
  });

  it("because the address is none is settled, and support is told of the message", async () => {
    const { email, mails } = await keep({ email: "noa..levi@example.com" });
    await deliverBoth(mails);
    const told = await smtp.mailTo(supportAddress);
    expect(told.headers.has("reply-to")).toBe(false);
    expect(told.text).toContain(email);
    expect(smtp.accepted()).toHaveLength(1);
  });

  it("fails without a word of the letter", async () => {
    const { email, mails } = await keep({ message: "Unmistakable words" });
    smtp.script(email, { refuseMail: 451, text: `no ${email} here` });
    const failure: unknown = await deliver(mails, "contact.acknowledge").catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toMatch(/writer-|Unmistakable/);
  });
});

it("a letter whose matter is settled is erased, and its mails are sent no more", async () => {
  const { messageId, mails } = await keep({});
  await deliver(mails, "contact.notify-support");
  expect(await settleMatter(ledger.store, messageId, instantFromMs(0))).toMatchObject({
    how: "recorded",
  });
  expect(await settleMatter(ledger.store, messageId, instantFromMs(0))).toMatchObject({
    how: "quiet",
  });
  const [erasure] = await ledger.sql<{ id: number }[]>`
    select id from ledger.outbox
     where name = 'contact.erase-letter' and payload->>'messageId' = ${messageId}`;
  expect(await deliverMessage(ledger.sql, handlers, erasure?.id ?? -1)).toBe("delivered");
  expect(await openLetter(ledger, messageId)).toBeUndefined();
  expect(await deliver(mails, "contact.acknowledge")).toBe("delivered");
  expect([...smtp.byRecipient().keys()]).toEqual([supportAddress]);
});

it.each([{}, { messageId: "1" }, "x", null])("nothing is done about %j", async (payload) => {
  for (const handler of Object.values(handlers)) {
    await expect(handler(payload)).rejects.toMatchObject({ name: "ZodError" });
  }
});
