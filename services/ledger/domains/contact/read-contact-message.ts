import { parseBody } from "@pro-talent/platform/http/parse-body";
import { ContactRequest } from "@pro-talent/schemas/contact/calls";

/** Nothing that a mail server would take as part of an address. */
const notInAddresses = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const Message = ContactRequest.refine(({ email }) => !notInAddresses.test(email), {
  path: ["email"],
  message: "an e-mail address",
});

/** Line ends and other control characters, which a field of one line cannot show. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const oneLine: ReadonlySet<string> = new Set(["name", "subject"]);
/** Fields that mean the same when they are empty as when they are missing. */
const mayBeEmpty: ReadonlySet<string> = new Set(["sessionId", "language", "writingMs"]);

/**
 * The message in a body, however it was sent.
 * @throws ProblemError `invalid_body`
 */
export function readContactMessage(body: unknown, from: "script" | "plain form"): ContactRequest {
  if (!isRecord(body)) return parseBody(Message, body);
  const fields = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      value === "" && mayBeEmpty.has(name) ? [] : [[name, legible(name, value)]],
    ),
  );
  return parseBody(Message, from === "script" ? fields : asScriptsSend(fields));
}

/** Half a character, cut off by a form that counts differently, says nothing and is replaced. */
function legible(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.toWellFormed();
  return oneLine.has(name) ? text.replaceAll(controls, " ") : text;
}

/** Without scripts every field is text, and the subject's own field is there for every category. */
function asScriptsSend(fields: Readonly<Record<string, unknown>>): object {
  const { subjectCategory, writingMs } = fields;
  return {
    ...fields,
    ...(typeof writingMs === "string" ? { writingMs: Number(writingMs) } : {}),
    ...(subjectCategory === "other" ? {} : { subject: subjectCategory }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
