import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";

const special = /[\p{Cc}@]|%40/u;
const controls = /\p{Cc}+/gu;
/** Bounded on both sides, so that the search stays linear in the length of the text. */
const emailLike = /[^\s"<>(),:;@\\]{1,64}(?:@|%40)[^\s"'<>(),:;@\\/]{1,253}/gu;
/** Replaces what looks like an e-mail address. */
const redactedEmail = ":redacted";
const depthMax = 16;

/**
 * A client's text as it may be stored: valid Unicode, no control characters, nothing that looks
 * like an e-mail address.
 */
export function storedText(text: string | null | undefined): string {
  if (text === null || text === undefined || text === "") return "";
  const wellFormed = text.toWellFormed();
  if (!special.test(wellFormed)) return wellFormed;
  return withoutEmails(wellFormed.replaceAll(controls, " "));
}

/** Safe on JSON text too: a match never contains a quote or a backslash. */
export function withoutEmails(text: string): string {
  if (!text.includes("@") && !text.includes("%40")) return text;
  return text.replaceAll(emailLike, redactedEmail);
}

/**
 * Refuses data that is nested too deeply, before other code walks it recursively.
 * @returns the same body
 * @throws ProblemError `invalid_body`
 */
export function assertShallow(body: unknown): unknown {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) throw refusedData(`Nested more than ${depthMax} levels deep`);
    level = level.flatMap((value): unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return body;
}

/**
 * The data of a custom event as JSON text, with e-mail addresses redacted.
 * @throws ProblemError `invalid_body` when it is longer than 4,096 bytes
 */
export function eventDataText(data: Readonly<Record<string, unknown>> | null | undefined): string {
  if (data === null || data === undefined) return "{}";
  let text = JSON.stringify(data);
  // JSON.stringify escapes lone surrogates, which no other reader of JSON has to accept.
  if (/\\ud[89a-f]/.test(text)) text = JSON.stringify(data, wellFormedEntries);
  if (Buffer.byteLength(text) > analyticsLimits.eventDataBytesMax) {
    throw refusedData(`Longer than ${analyticsLimits.eventDataBytesMax} bytes as JSON`);
  }
  return withoutEmails(text);
}

function refusedData(message: string): ProblemError {
  return new ProblemError("invalid_body", { errors: [{ pointer: "/eventData", message }] });
}

function wellFormedEntries(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), entry]),
  );
}
