import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { analyticsLimits } from "@pro-talent/schemas/analytics/limits";

import { scrub } from "./scrub/scrub.ts";
import { namesSecret } from "./scrub/secrets.ts";

const controls = /\p{Cc}+/gu;
const depthMax = 16;

/**
 * Names of the parameters by which advertisers and mailers recognise one click, in an address or beside
 * it: those of Google, Meta, Microsoft, TikTok, X, LinkedIn, Yandex, Instagram, Snapchat, Pinterest,
 * Reddit, Mailchimp, HubSpot, Marketo, Klaviyo and Adobe. Some are short or all digits, and look like
 * nothing that identifies anyone.
 */
const clickIdNames =
  "gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|twclid|li_fat_id|yclid|ysclid|igshid|igsh|sccid|epik|rdt_cid|mc_eid|_hsenc|_hsmi|mkt_tok|_kx|s_kwcid|ef_id";
const clickId = new RegExp(
  String.raw`(?<![\w-])(${clickIdNames})(=|%3D|": ?")[^\s&#"'<>,;]+`,
  "gi",
);
const clickIdField = new RegExp(`^(?:${clickIdNames})$`, "i");
const clickIdMark = "[click-id]";

/**
 * A client's text as it may be stored: valid Unicode, no control characters, no id of a click on an
 * advertisement, no personal data or secret that `scrub` finds.
 */
export function storedText(text: string | null | undefined): string {
  if (text === null || text === undefined || text === "") return "";
  return cleanText(text.replaceAll(controls, " "), "");
}

/** @param field the name of the field that holds the text, or nothing */
function cleanText(text: string, field: string): string {
  return scrub(text.toWellFormed().replaceAll(clickId, `$1$2${clickIdMark}`), field);
}

/**
 * Refuses data that is nested too deeply, before other code walks it recursively.
 * @returns the same body
 * @throws ProblemError `invalid_body`
 */
export function assertShallow(body: unknown): unknown {
  if (isShallow(body)) return body;
  const message = `Nested more than ${depthMax} levels deep`;
  throw new ProblemError("invalid_body", { errors: [{ pointer: "/eventData", message }] });
}

/** Whether other code may walk the data recursively. */
export function isShallow(data: unknown): boolean {
  let level: unknown[] = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return false;
    level = level.flatMap((value): unknown[] =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return true;
}

/**
 * The data of a custom event as JSON text, scrubbed in its values and names at any depth. Numbers
 * count as well: a telephone number needs no quotes. `{"_cut":true}` when it is longer than 4,096
 * bytes, as half of it could mislead.
 */
export function eventDataText(data: Readonly<Record<string, unknown>> | null | undefined): string {
  if (data === null || data === undefined) return "{}";
  if (Buffer.byteLength(JSON.stringify(data)) > analyticsLimits.eventDataBytesMax) {
    return '{"_cut":true}';
  }
  return JSON.stringify(clean(data, ""));
}

/** @param field the name of the nearest field around the value */
function clean(value: unknown, field: string): unknown {
  const isSingle = typeof value === "string" || typeof value === "number";
  if (isSingle && value !== "" && clickIdField.test(field)) return clickIdMark;
  if (typeof value === "string") {
    return namesSecret(field) && value !== "" ? "[secret]" : cleanText(value, field);
  }
  if (typeof value === "number") {
    const text = scrub(String(value), field);
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((entry) => clean(entry, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [scrub(key.toWellFormed()), clean(entry, key)]),
  );
}
