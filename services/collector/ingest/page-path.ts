import { matchOwnPath } from "@pro-talent/schemas/site/own-paths";
import { LRUCache } from "lru-cache";

import { plainForm } from "./scrub/plain-form.ts";
import { looksRandom } from "./scrub/random-text.ts";
import { scrub } from "./scrub/scrub.ts";

/** Replaces a part of a path that may name a person or a secret. */
const redactedPart = ":redacted";

const charsMax = 256;
const segmentCharsMax = 200;
const remembered = new LRUCache<string, string>({ max: 2_000 });

const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const invisible = /[\p{Cc}\p{Co}\ufffd]/u;
/** Half characters, direction marks and the like; emoji and some scripts join with U+200C, U+200D. */
const formatting = /(?![\u200c\u200d])\p{Cf}/gu;
/** A day, or a day and a time, as digits. */
const time =
  /(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?/;
const longDigits = new RegExp(String.raw`(?<!\d)(?!${time.source}(?!\d))\d{7}`);
/** What would end or split a path, or look encoded, is stored percent-encoded. */
const reserved = /[/?#%\\]/g;

/**
 * The page of a URL or path as it is stored and counted: path only, in lower case, decoded, without a
 * slash at the end. Variable parts of the product's own addresses get the name of what they hold
 * (`/p/:handle`). Elsewhere words of any script, days, short numbers and emoji stay, and a part with
 * personal data or a secret, a long number or an id becomes `:redacted`. At most 256 characters;
 * idempotent.
 */
export function pagePath(page: string): string {
  if (page.length > charsMax) return normalise(page);
  const known = remembered.get(page);
  if (known !== undefined) return known;
  const path = normalise(page);
  remembered.set(page, path);
  return path;
}

/** The stored form of a page; empty when the client did not state one. */
export function pagePathOrNone(page: string | null | undefined): string {
  return page === null || page === undefined || page === "" ? "" : pagePath(page);
}

function normalise(page: string): string {
  const path = page.replace(origin, "");
  const end = path.search(/[?#]/);
  const parts = (end === -1 ? path : path.slice(0, end)).split("/").filter((part) => part !== "");
  const own = matchOwnPath(parts);
  let text = "";
  for (const part of own ?? parts) {
    const stored = own === undefined ? safePart(part) : part;
    if (stored === "") continue;
    if (text.length + 1 + stored.length > charsMax) break;
    text += `/${stored}`;
  }
  return text === "" ? "/" : text;
}

function safePart(raw: string): string {
  if (raw === redactedPart || raw.length > 6 * segmentCharsMax) return redactedPart;
  const part = decode(raw);
  if (part === undefined || isPersonal(part)) return redactedPart;
  const stored = part
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(formatting, "")
    .replaceAll(/[\p{Z}\s]+/gu, " ")
    .trim();
  if (stored.length > segmentCharsMax || (stored !== part && isPersonal(stored)))
    return redactedPart;
  return stored.replaceAll(reserved, encodeURIComponent);
}

/** Decoded up to three times; undefined when it is not UTF-8, or still encoded, to hide something. */
function decode(part: string): string | undefined {
  let text = part;
  for (let pass = 0; pass < 3 && /%[0-9a-f]{2}/i.test(text); pass += 1) {
    try {
      text = decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, "%25"));
    } catch {
      return undefined;
    }
  }
  return text.isWellFormed() && !/%[0-9a-f]{2}/i.test(text) && !invisible.test(text)
    ? text
    : undefined;
}

function isPersonal(part: string): boolean {
  if (part.includes("@") || scrub(part) !== part) return true;
  const { text } = plainForm(part);
  return text.includes("@") || longDigits.test(text) || looksRandom(text);
}
