import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { ContactRequest } from "@pro-talent/schemas/contact/calls";
import { contactLimits } from "@pro-talent/schemas/contact/limits";
import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import type { FieldError } from "@pro-talent/schemas/primitives/problem";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readContactMessage } from "./read-contact-message.ts";
import { entered } from "./testing/contact-samples.ts";

/** The message, or the fields that are named as wrong. */
function reading(
  body: unknown,
  from: "script" | "plain form" = "script",
): ContactRequest | readonly FieldError[] {
  try {
    return readContactMessage(body, from);
  } catch (error) {
    if (error instanceof ProblemError && error.code === "invalid_body") return error.errors ?? [];
    throw error;
  }
}

/** The fields that were wrong, for whatever reasons. */
const pointers = (read: ReturnType<typeof reading>): string[] =>
  Array.isArray(read) ? [...new Set(read.map(({ pointer }: FieldError) => pointer))] : [];

/** Pieces that have broken forms before. */
const nasty = fc.constantFrom(
  "\r\nBcc: victim@example.com",
  "\n",
  "\u0000",
  "\u001B[31m",
  "\u202E",
  "\u2066",
  "\uD83D",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{7*7}}",
  "'; drop table ledger.event; --",
  "שלום",
  "👩‍💻",
  "a@b",
  "%0d%0a",
);
const hostileText = fc
  .array(fc.oneof(nasty, fc.string({ unit: "binary" })))
  .map((parts) => parts.join(""));
const wrongType = fc.constantFrom(null, 0, true, [], {}, ["a"], { name: "x" });
const hostileValue = fc.oneof(
  hostileText,
  wrongType,
  fc.constant("x".repeat(10_000)),
  fc.constant(undefined),
);
const hostileBody = fc.oneof(
  fc.record(
    Object.fromEntries(
      [...Object.keys(ContactRequest.shape), "admin", "to"].map((name) => [name, hostileValue]),
    ),
    { requiredKeys: [] },
  ),
  fc
    .tuple(fc.constantFrom(...Object.keys(ContactRequest.shape)), hostileValue)
    .map(([name, value]) => entered({ [name]: value })),
  fc.jsonValue(),
);

/** Within the contract, nothing more, and with nothing in it that breaks mails or stores. */
function isHarmless(message: unknown): boolean {
  const { name, subject, email, message: text } = ContactRequest.strict().parse(message);
  const lines = [name, subject, email];
  return (
    looksLikeEmail(email) &&
    lines.every((line) => !/\p{Cc}/u.test(line)) &&
    [...lines, text].every((part) => part.isWellFormed())
  );
}

describe("any body", () => {
  it("is a message within its limits, or is refused naming the fields; nothing else happens", () => {
    fc.assert(
      fc.property(hostileBody, fc.constantFrom("script", "plain form"), (body, from) => {
        const read = reading(body, from);
        expect(Array.isArray(read) ? read.length > 0 : isHarmless(read)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("that is refused is never repeated", () => {
    const secret = "entered-secret";
    const wrong = fc.constantFrom(
      entered({ email: secret }),
      entered({ subjectCategory: secret }),
      entered({ language: secret }),
      entered({ message: secret.slice(0, 9) }),
      entered({ name: [secret] }),
      entered({ subject: secret.repeat(700) }),
    );
    fc.assert(
      fc.property(wrong, (body) => {
        expect(JSON.stringify(reading(body))).not.toContain("entered-");
      }),
    );
  });
});

describe("a message", () => {
  it("has what was entered, without fields that the contract does not name", () => {
    expect(reading(entered({ to: "all@example.com", isAdmin: true }))).toEqual(entered());
  });

  it.each([
    ["a subject of ten thousand characters", { subject: "x".repeat(10_000) }, "/subject"],
    ["too long a name", { name: "x".repeat(contactLimits.nameCharsMax + 1) }, "/name"],
    ["an address with a line end", { email: "a@b.example\r\nBcc: c@d.example" }, "/email"],
    ["an address with a hidden character", { email: "a\u0000@b.example" }, "/email"],
    ["an address with a change of direction", { email: "a\u202E@b.example" }, "/email"],
    ["two addresses", { email: "a@b.example,c@d.example" }, "/email"],
    ["a name of nothing but control characters", { name: "\r\n\u0000" }, "/name"],
    ["no category", { subjectCategory: undefined }, "/subjectCategory"],
    ["a number as its text", { message: 1_234_567_890 }, "/message"],
  ])("with %s is refused, naming the field", (_what, change, pointer) => {
    expect(pointers(reading(entered(change)))).toEqual([pointer]);
  });

  it("has a name and a subject of one line", () => {
    const read = reading(
      entered({ name: "Noa\r\nBcc: x", subject: "a\u2028b", message: "1\n2\r\n3 and so on" }),
    );
    expect(read).toMatchObject({
      name: "Noa Bcc: x",
      subject: "a b",
      message: "1\n2\r\n3 and so on",
    });
  });

  it("that was cut in the middle of a character is accepted", () => {
    expect(reading(entered({ message: "Nothing works \uD83D" }))).toMatchObject({
      message: "Nothing works \uFFFD",
    });
  });

  it("from a client without a visit session is accepted", () => {
    for (const sessionId of [null, undefined, ""]) {
      expect(reading(entered({ sessionId }))).not.toBeInstanceOf(Array);
    }
  });
});

describe("a plain form", () => {
  const { sessionId: _none, ...fields } = entered();

  it("takes the category as the subject, whatever the hidden field holds", () => {
    expect(reading({ ...fields, subject: "" }, "plain form")).toMatchObject({ subject: "bug" });
    const { subject: _subject, ...without } = fields;
    expect(reading(without, "plain form")).toMatchObject({ subject: "bug" });
  });

  it("takes the sender's own subject under other", () => {
    const own = { ...fields, subjectCategory: "other", subject: "A talk" };
    expect(reading(own, "plain form")).toMatchObject({ subject: "A talk" });
    expect(pointers(reading({ ...own, subject: " " }, "plain form"))).toEqual(["/subject"]);
  });

  it("may leave fields empty that scripts fill in", () => {
    const empty = { ...fields, sessionId: "", language: "", writingMs: "", website: "" };
    expect(reading(empty, "plain form")).not.toBeInstanceOf(Array);
    expect(reading({ ...empty, writingMs: "900" }, "plain form")).toMatchObject({ writingMs: 900 });
  });

  it("with a field twice is refused", () => {
    expect(
      pointers(reading({ ...fields, email: ["a@b.example", "c@d.example"] }, "plain form")),
    ).toEqual(["/email"]);
  });
});
