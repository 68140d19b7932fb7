import { domainToASCII } from "node:url";

import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

import { displayName, oneMailbox } from "./address.ts";
import { connectMailer, type Mail, type Mailer } from "./mailer.ts";
import { type ScriptedSmtp, startScriptedSmtp } from "./testing/start-scripted-smtp.ts";
import { subjectLine } from "./text-safety.ts";

const mail: Mail = {
  id: "0199-a",
  to: { address: "noa@example.com" },
  subject: "Hello",
  text: "Hello Noa",
  html: "<p>Hello Noa</p>",
  language: "en",
};

let smtp: ScriptedSmtp;
let mailer: Mailer;
beforeAll(async () => {
  smtp = await startScriptedSmtp();
  mailer = connectMailer({
    smtpUrl: smtp.url,
    from: { name: "Pro Talent", address: "hello@pro-talent.example" },
  });
});
afterEach(() => smtp.forget());
afterAll(async () => {
  await mailer.close();
  await smtp.stop();
});

/** What a mail program shows of a mail with this text as subject, name and name to answer to. */
async function shown(typed: string) {
  smtp.forget();
  await mailer.send({
    ...mail,
    subject: typed,
    to: { name: typed, address: "noa@example.com" },
    replyTo: { name: typed, address: "ori@example.com" },
  });
  const [sent] = smtp.accepted();
  const headers = sent?.read().headers;
  const one = (name: string): string => headers?.get(name)?.[0] ?? "";
  const name = (header: string): string =>
    one(header)
      .replace(/ ?<[^<>]*>$/, "")
      .replaceAll(/^"|"$/g, "");
  return { subject: one("subject"), to: name("to"), replyTo: name("reply-to"), raw: sent?.raw };
}

const b64 = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

describe("what was typed as an encoded word", () => {
  test.each([
    b64("invoice\u202Efdp.exe"),
    b64("Hi\r\nBcc: dana@example.com"),
    "=?utf-8?Q?=E2=80=AE?=",
    `${b64("a")} ${b64("b")}`,
    `Hello ${b64("\u202E")} there`,
    "=?iso-8859-1?Q?=41?= and more",
    `שלום ${b64("x")}`,
    b64("x".repeat(90)),
    "=?not one at all",
  ])("arrives as these characters: %s", async (typed) => {
    const { raw, ...texts } = await shown(typed);
    const name = displayName(typed);
    expect(texts).toEqual({ subject: typed, to: name, replyTo: name });
    const head = raw?.toString("latin1").split("\r\n\r\n")[0] ?? "";
    // Nothing of it is left for a mail program to decode, wherever it stands.
    for (const word of typed.match(/=\?[^ ?]*\?[BQ]\?[^ ?]*\?=/g) ?? []) {
      expect(head).not.toContain(word);
    }
    expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("of any kind arrives as it was typed", async () => {
    const piece = fc.constantFrom(
      "=?",
      "?=",
      "utf-8",
      "?B?",
      "?Q?",
      "=20",
      " ",
      "4oCu",
      "a",
      "ש",
      "😀",
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 14 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(text, async (typed) => {
        const { subject, to } = await shown(`x${typed}`);
        expect(subject).toBe(subjectLine(`x${typed}`));
        expect(to).toBe(displayName(`x${typed}`));
      }),
      { numRuns: 200 },
    );
  });
});

/** Addresses as visitors may type them: mostly nearly right. */
const label = fc.string({
  unit: fc.constantFrom("a", "B", "9", "-", "_", ".", "ש", "ß", "é", "\u0301", "+", "'", "😀"),
  minLength: 1,
  maxLength: 8,
});
const part = fc.oneof(label, fc.constantFrom("noa", "a.b", "bücher", "x-1"));
const address = fc
  .tuple(part, part, fc.constantFrom("com", "org", "co.il", "קום", "", "1", "com."))
  .map(([local, name, top]) => `${local}@${name}.${top}`);

/** With the domain as name servers know it. */
function inAscii(address: string): string {
  const at = address.indexOf("@") + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
}

test("what the forms accept is one mailbox for everything behind them", async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(address, async (typed) => {
      if (!looksLikeEmail(typed)) return;
      accepted += 1;
      expect(oneMailbox(typed)).toBe(typed);
      smtp.forget();
      await mailer.send({ ...mail, to: { address: typed } });
      const [sent, ...more] = smtp.accepted();
      expect(more).toEqual([]);
      const to = Buffer.from(sent?.read().headers.get("to")?.[0] ?? "", "latin1").toString();
      expect([inAscii(sent?.to ?? ""), inAscii(to)]).toEqual([inAscii(typed), inAscii(typed)]);
    }),
    { numRuns: 1000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
