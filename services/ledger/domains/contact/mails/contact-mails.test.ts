import type { ContactDetails, ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { locales } from "@pro-talent/schemas/primitives/locale";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ReceivedMessage } from "../contact-messages.ts";
import { contactDetails } from "../testing/contact-samples.ts";
import { acknowledgementMail } from "./acknowledgement-mail.ts";
import { notificationMail } from "./notification-mail.ts";

const messageId = "0196b2a5-7c3e-7f00-8a11-2f3b4c5d6e7f";
const support = "support@talent.example";
const from = { supportAddress: support, origin: "https://talent.example" };

function received(
  details: Partial<ContactDetails> = {},
  fact: Partial<ContactMessageReceived["data"]> = {},
): ReceivedMessage {
  return {
    messageId,
    receivedAt: instantFromMs(Date.UTC(2026, 0, 5, 8)),
    fact: {
      reference: "PT-7K2M-9XQD",
      category: "bug",
      language: "en",
      suspected: false,
      acknowledged: true,
      ...fact,
    },
    details: contactDetails({ sessionId: "session-of-noa", ...details }),
  };
}

describe("the mail to support", () => {
  it("has the sender, the message and its reference; a reply goes to the sender", () => {
    const mail = notificationMail(received(), support);
    expect(mail).toMatchObject({
      id: `contact-support-${messageId}`,
      to: { address: support },
      replyTo: { name: "Noa Levi", address: "noa@example.com" },
      subject: "[PT-7K2M-9XQD] Something does not work",
      language: "en",
      automatic: true,
    });
    for (const text of ["PT-7K2M-9XQD", "Noa Levi", "noa@example.com", "Really nothing."]) {
      expect(mail.text).toContain(text);
      expect(mail.html).toContain(text);
    }
    expect(mail.text + mail.html).not.toContain("session-of-noa");
  });

  it("has the sender's own subject, if there is one", () => {
    const mail = notificationMail(received({ subject: "A talk" }, { category: "other" }), support);
    expect(mail.subject).toBe("[PT-7K2M-9XQD] Something else: A talk");
  });

  it("says that a program may have sent it, and that no acknowledgement was mailed", () => {
    const mail = notificationMail(received({}, { suspected: true, acknowledged: false }), support);
    expect(mail.text).toContain("faster than people type");
    expect(mail.text).toContain("No acknowledgement was mailed to the sender.");
  });

  it("is sent too when mail programs do not accept the address", () => {
    const mail = notificationMail(received({ email: "noa..levi@example.com" }), support);
    expect(mail).not.toHaveProperty("replyTo");
    expect(mail.text).toContain("noa..levi@example.com");
  });
});

describe("the mail to the sender", () => {
  it("has the reference and the time of an answer", () => {
    const mail = acknowledgementMail(received(), from);
    expect(mail).toMatchObject({
      id: `contact-acknowledgement-${messageId}`,
      to: { address: "noa@example.com" },
      replyTo: { address: support },
      subject: "We have your message (PT-7K2M-9XQD)",
      automatic: true,
    });
    for (const text of ["PT-7K2M-9XQD", "24-48 hours"]) {
      expect(mail.text).toContain(text);
      expect(mail.html).toContain(text);
    }
  });

  it("repeats nothing that was entered: any visitor can enter any address", () => {
    const name = "Click-here-to-win";
    const subject = "Prize-inside";
    const message = "Buy-this-now, it is cheap";
    const entered = received({ name, subject, message }, { category: "other" });
    expect(JSON.stringify(acknowledgementMail(entered, from))).not.toMatch(
      /Click-here|Prize|Buy-this/,
    );
  });

  it("is in Hebrew, from right to left, when the page was", () => {
    const mail = acknowledgementMail(received({}, { language: "he" }), from);
    expect(mail.language).toBe("he");
    expect(mail.html).toMatch(/<html[^>]* dir="rtl"/);
    expect(mail.html).toMatch(/<html[^>]* lang="he"/);
    expect(mail.subject).toBe("הפנייה הגיעה אלינו (PT-7K2M-9XQD)");
    expect(mail.text).toContain("24-48 שעות");
  });
});

describe("both mails", () => {
  const hostile = fc.constantFrom(
    "<script>alert(1)</script>",
    '"><img src="https://evil.example/x.png" onerror="x()">',
    "</blockquote></body><h1>Owned</h1>",
    "\r\nBcc: victim@example.com",
    "\u202Egnp.exe",
    "\u0000\u001B[2J",
  );

  it("carry what was entered as text, never as markup, headers or direction", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, fc.constantFrom(...locales), (...entered) => {
        const [name, subject, words, language] = entered;
        const message = received(
          { name, subject, message: words },
          { language, category: "other" },
        );
        for (const mail of [
          notificationMail(message, support),
          acknowledgementMail(message, from),
        ]) {
          expect(mail.html).not.toMatch(/<script|<img|<h1>Owned|evil\.example\/x\.png"\s+onerror/);
          expect(mail.subject).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
          expect(mail.text + mail.html).not.toMatch(/(?![\t\n])[\p{Cc}\u202E]/u);
        }
      }),
    );
  });
});
