import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";

import { withoutEmails } from "./free-text.ts";

const depthMax = 16;

function refused(message: string): ProblemError {
  return new ProblemError("invalid_body", { errors: [{ pointer: "/eventData", message }] });
}

/**
 * Refuses data that is nested too deeply, before anything walks it recursively.
 * @throws ProblemError `invalid_body`
 */
export function assertShallow(body: unknown): void {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) throw refused(`Nested more than ${depthMax} levels deep`);
    level = level.flatMap((value): unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
}

/**
 * The data of a custom event as JSON text, with e-mail addresses taken out.
 * @throws ProblemError `invalid_body` when it is longer than 4,096 bytes
 */
export function eventDataText(data: Readonly<Record<string, unknown>> | null | undefined): string {
  if (data === null || data === undefined) return "{}";
  let text = JSON.stringify(data);
  // JSON.stringify escapes lone surrogates, which no other reader of JSON has to accept.
  if (/\\ud[89a-f]/.test(text)) text = JSON.stringify(data, wellFormed);
  if (Buffer.byteLength(text) > analyticsLimits.eventDataBytesMax) {
    throw refused(`Longer than ${analyticsLimits.eventDataBytesMax} bytes as JSON`);
  }
  return withoutEmails(text);
}

function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.toWellFormed(), entry]),
  );
}
