import { connectMailer, type Mail, type Mailer } from "@pro-talent/platform/mail/mailer";
import { renderMail } from "@pro-talent/platform/mail/render-mail";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { startTestMailbox, type TestMailbox } from "./testing/start-test-mailbox.ts";

let caught: TestMailbox;
let mailer: Mailer;

beforeAll(async () => {
  caught = await startTestMailbox();
  mailer = connectMailer({
    smtpUrl: caught.smtpUrl,
    from: { name: "Pro Talent", address: "hello@pro-talent.example" },
  });
});
afterAll(async () => {
  await mailer.close();
  await caught.stop();
});
beforeEach(() => caught.empty());

const hebrew = renderMail({
  language: "he",
  title: "תודה שפניתם אלינו",
  preheader: "קיבלנו את ההודעה שלכם",
  blocks: [
    { kind: "paragraph", text: "קיבלנו את ההודעה ונענה תוך 24–48 שעות." },
    { kind: "facts", facts: [{ term: "נושא", value: "PDF & DOCX <b>" }] },
    { kind: "quote", text: "שלום,\nאפשר לייצא ל־PDF?" },
  ],
  footer: [{ kind: "small", text: "Pro Talent" }],
});
const mail: Mail = {
  id: "0199-a",
  to: { name: "נועה", address: "noa@example.com" },
  subject: "תודה שפניתם אלינו: קיבלנו את ההודעה, ונחזור אליכם בהקדם האפשרי ✓",
  ...hebrew,
  language: "he",
};

test("a Hebrew mail arrives whole", async () => {
  await mailer.send(mail);
  const arrived = await caught.mailTo("noa@example.com", { subject: /קיבלנו/ });
  expect(arrived.subject).toBe(mail.subject);
  expect(arrived.text.trimEnd()).toBe(mail.text.trimEnd());
  expect(arrived.html).toContain('<html lang="he" dir="rtl">');
  expect(arrived.html).toContain("<bdi>PDF &amp; DOCX &lt;b&gt;</bdi>");
  expect(arrived.headers["content-language"]).toBe("he");
});

test("a mail that can be unsubscribed from has the headers for it", async () => {
  const url = "https://pro-talent.example/api/newsletter/unsubscribe?token=AQFmZ2hq-_";
  await mailer.send({ ...mail, unsubscribe: { url } });
  const source = await caught.source((await caught.mailTo("noa@example.com")).id);
  expect(source).toContain(`\r\nList-Unsubscribe: <${url}>\r\n`);
  expect(source).toContain("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
});

test("no name, subject or answer address smuggles in a header", async () => {
  const injected = "Noa\r\nBcc: dana@example.com\r\n\r\n<h1>Hi</h1>";
  await mailer.send({
    ...mail,
    to: { name: injected, address: "noa@example.com" },
    replyTo: { name: injected, address: "ori@example.com" },
    subject: injected,
  });
  const arrived = await caught.mailTo("noa@example.com");
  expect(arrived.subject).toBe("Noa Bcc: dana@example.com <h1>Hi</h1>");
  expect(arrived.headers).not.toHaveProperty("bcc");
  expect(arrived.envelope.to).toHaveLength(1);
  expect(arrived.text.trimEnd()).toBe(mail.text.trimEnd());
});

test("what was typed as an encoded word is not decoded", async () => {
  const typed = `=?utf-8?B?${Buffer.from("a\u202Eb\r\nBcc: c@example.com").toString("base64")}?=`;
  await mailer.send({
    ...mail,
    to: { name: typed, address: "noa@example.com" },
    replyTo: { name: typed, address: "ori@example.com" },
    subject: typed,
  });
  const source = await caught.source((await caught.mailTo("noa@example.com")).id);
  const read = await PostalMime.parse(source);
  expect(read.subject).toBe(typed);
  expect(read.to).toMatchObject([{ name: typed, address: "noa@example.com" }]);
  expect(read.replyTo).toMatchObject([{ name: typed, address: "ori@example.com" }]);
});

test("a mail that is sent twice has one Message-ID", async () => {
  await mailer.send(mail);
  await mailer.send(mail);
  const ids = (await caught.list()).map(({ headers }) => headers["message-id"]);
  expect(ids).toEqual(["<0199-a@pro-talent.example>", "<0199-a@pro-talent.example>"]);
});
