import { once } from "node:events";
import { createServer, type Server } from "node:net";

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import {
  connectMailer,
  type Mail,
  MailDelayed,
  type Mailer,
  MailRefused,
  MailRejected,
  MailUncertain,
} from "./mailer.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "./testing/start-scripted-smtp.ts";

const from = { name: "Pro Talent", address: "hello@pro-talent.example" };
const mail: Mail = {
  id: "0199-a",
  to: { address: "noa@example.com" },
  subject: "Hello",
  text: "Hello Noa",
  html: "<p>Hello Noa</p>",
  language: "en",
};

let smtp: ScriptedSmtp;
const mailers: Mailer[] = [];

beforeAll(async () => {
  smtp = await startScriptedSmtp();
});
afterAll(() => smtp.stop());
afterEach(async () => {
  for (const mailer of mailers.splice(0)) await mailer.close();
  smtp.forget();
});

function connect(
  smtpUrl = smtp.url,
  options: { connectMs?: number; silenceMs?: number } = {},
): Mailer {
  const mailer = connectMailer({ smtpUrl, from, ...options });
  mailers.push(mailer);
  return mailer;
}

/** What an attempt failed with. */
async function failure(attempt: Promise<void>): Promise<unknown> {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  return undefined;
}

test("a mail arrives with its headers", async () => {
  await connect().send({
    ...mail,
    to: { name: "נועה לוי", address: "noa@example.com" },
    replyTo: { name: 'Dana "D" <x>', address: "dana@example.com" },
    automatic: true,
    list: { label: "newsletter", name: "Pro Talent Newsletter" },
    unsubscribe: {
      url: `https://pro-talent.example/api/newsletter/unsubscribe?token=${"a".repeat(90)}`,
    },
  });
  const { headers, text, html } = await smtp.mailTo("noa@example.com");
  const single = Object.fromEntries([...headers].map(([name, values]) => [name, values.join("|")]));
  expect(single).toMatchObject({
    from: "Pro Talent <hello@pro-talent.example>",
    to: "נועה לוי <noa@example.com>",
    "reply-to": "Dana D x <dana@example.com>",
    subject: "Hello",
    "message-id": "<0199-a@pro-talent.example>",
    "content-language": "en",
    "auto-submitted": "auto-generated",
    "x-auto-response-suppress": "All",
    "list-id": "Pro Talent Newsletter <newsletter.pro-talent.example>",
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(single["content-type"]).toMatch(/^multipart\/alternative;/);
  expect(Date.parse(single["date"] ?? "")).toBeGreaterThan(0);
  expect(single).not.toHaveProperty("x-mailer");
  expect(text).toBe("Hello Noa");
  expect(html).toBe("<p>Hello Noa</p>");
});

test("the address for unsubscribing is on one line", async () => {
  const url = `https://pro-talent.example/api/newsletter/unsubscribe?token=${"a".repeat(90)}`;
  await connect().send({ ...mail, unsubscribe: { url } });
  expect(smtp.accepted()[0]?.raw.toString("latin1")).toContain(`List-Unsubscribe: <${url}>\r\n`);
});

test("a file arrives as it is, under its name; a name that could be a path is refused", async () => {
  const bytes = Buffer.from([...Array(300).keys()].map((value) => value % 256));
  const file = { name: "INV-2026-000042.pdf", type: "application/pdf", bytes };
  await connect().send({ ...mail, attachments: [file] });
  const raw = smtp.accepted().at(-1)?.raw.toString("latin1") ?? "";
  expect(raw).toContain("Content-Type: application/pdf; name=INV-2026-000042.pdf");
  expect(raw.replaceAll("\r\n", "")).toContain(bytes.toString("base64"));
  const path = connect().send({ ...mail, attachments: [{ ...file, name: "../x" }] });
  await expect(path).rejects.toThrow("name");
});

test("a mail that is sent again has the same Message-ID", async () => {
  const mailer = connect();
  await mailer.send(mail);
  await mailer.send(mail);
  expect([...smtp.byMessageId()]).toEqual([["<0199-a@pro-talent.example>", 2]]);
});

test.each([
  [MailRefused, { refuseRecipient: 550, text: "5.1.1 noa@example.com unknown" }],
  [
    MailRefused,
    { refuseMail: 554, text: "delivery error: This user doesn't have a x.org account" },
  ],
  [MailRejected, { refuseRecipient: 554, text: "5.7.1 <noa@example.com>: Relay access denied" }],
  [MailRejected, { refuseMail: 554, text: "5.7.1 noa@example.com does not want this" }],
  [MailDelayed, { refuseRecipient: 552, text: "5.2.2 noa@example.com is over quota" }],
] as const)("a refusal is passed on as %s, without a word of it: %o", async (kind, step) => {
  smtp.script("noa@example.com", step);
  const error = await failure(connect().send(mail));
  expect(error).toBeInstanceOf(kind);
  expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("noa");
  expect(error).not.toHaveProperty("cause");
});

test("a server that refuses temporarily receives the mail later, over the same connection", async () => {
  smtp.script("noa@example.com", { refuseRecipient: 451 }, { refuseMail: 452 }, "accept");
  const mailer = connect();
  expect(await failure(mailer.send(mail))).toBeInstanceOf(MailDelayed);
  expect(await failure(mailer.send(mail))).toBeInstanceOf(MailDelayed);
  await mailer.send(mail);
  expect(smtp.accepted()).toHaveLength(1);
});

test.each([
  ["the server lost", "drop", 0],
  ["the server kept", "keep-and-drop", 1],
] as const)(
  "a mail that %s when the connection broke may have arrived, and is not sent again without a request",
  async (_who, step, kept) => {
    smtp.script("noa@example.com", step);
    const error = await failure(connect().send(mail));
    expect(error).toBeInstanceOf(MailUncertain);
    expect(String(error)).toBe("MailUncertain: ECONNECTION after DATA");
    expect(smtp.attempts("noa@example.com")).toBe(1);
    expect(smtp.accepted()).toHaveLength(kept);
  },
);

test("a server that stops answering does not delay a mail without limit", async () => {
  smtp.script("noa@example.com", "silence");
  const error = await failure(connect(smtp.url, { silenceMs: 300 }).send(mail));
  expect(error).toBeInstanceOf(MailUncertain);
});

test("the next mail is delivered after a broken connection", async () => {
  smtp.script("noa@example.com", "drop", "accept");
  const mailer = connect();
  await failure(mailer.send(mail));
  await mailer.send(mail);
  expect(smtp.accepted()).toHaveLength(1);
});

test("an unreachable mail server delays the mail, and is reported as unreachable", async () => {
  const stopped = await startScriptedSmtp();
  await stopped.stop();
  const mailer = connect(stopped.url);
  const error = await failure(mailer.send(mail));
  expect(error).toBeInstanceOf(MailDelayed);
  expect(String(error)).toContain("ECONNREFUSED");
  expect(await mailer.reachable()).toBe(false);
  expect(await connect().reachable()).toBe(true);
});

test("a server that accepts the connection and sends nothing counts as unreachable", async () => {
  const silent: Server = createServer();
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const mailer = connect(`smtp://127.0.0.1:${port}`, { connectMs: 300 });
  expect(await failure(mailer.send(mail))).toBeInstanceOf(MailDelayed);
  silent.close();
});

test.each([
  ["a line break", "noa@example.com\r\nBcc: dana@example.com"],
  ["another address", "noa@example.com,dana@example.com"],
  ["brackets", "<noa@example.com> dana@example.com"],
])("a recipient with %s is refused before anything is sent", async (_what, address) => {
  expect(await failure(connect().send({ ...mail, to: { address } }))).toBeInstanceOf(MailRefused);
  expect(smtp.accepted()).toHaveLength(0);
});

test("closing waits for the mails that are being sent", async () => {
  const mailer = connect();
  const sent = Promise.all(
    Array.from({ length: 20 }, (_, at) => mailer.send({ ...mail, id: `mail-${at}` })),
  );
  await mailer.close();
  await sent;
  expect(smtp.accepted()).toHaveLength(20);
});

test("thousands of mails are counted by recipient and by id", async () => {
  const mailer = connect();
  const numbers = Array.from({ length: 2000 }, (_, at) => at);
  await Promise.all(
    numbers.map((at) =>
      mailer.send({ ...mail, id: `mail-${at}`, to: { address: `reader-${at}@example.com` } }),
    ),
  );
  expect(smtp.byRecipient().size).toBe(2000);
  expect(smtp.byMessageId().size).toBe(2000);
});
