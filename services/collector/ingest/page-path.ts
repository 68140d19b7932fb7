import { LRUCache } from "lru-cache";

/** Replaces a part of a path that may name a person or a secret. */
const redactedPart = ":redacted";

const charsMax = 256;
const segmentCharsMax = 64;
const remembered = new LRUCache<string, string>({ max: 2_000 });

const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const unusual = /[\p{C}\p{Z}\\/?#%@]/u;
const longDigits = /\d{6}/;
const address = /\d{1,3}(?:\.\d{1,3}){3}|:[0-9a-f]{0,4}:/;
const hexadecimal = /[0-9a-f]{16}|[0-9a-f]{8}-[0-9a-f]{4}-/;
const mixedToken = /(?=[a-z_]*\d)(?=[\d_]*[a-z])\w{16,}/;

/**
 * The page of a URL or path as it is stored and counted: path only, in lower case, percent-decoded,
 * without a slash at the end. A part that looks like an address (mail or network), a telephone
 * number, an id or a token becomes `:redacted`. At most 256 characters; idempotent.
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
  const segments = (end === -1 ? path : path.slice(0, end))
    .split("/")
    .filter((segment) => segment !== "")
    .map(safeSegment);
  let text = "";
  for (const segment of segments) {
    if (text.length + 1 + segment.length > charsMax) break;
    text += `/${segment}`;
  }
  return text === "" ? "/" : text;
}

function safeSegment(raw: string): string {
  if (raw === redactedPart) return raw;
  const segment = decode(raw);
  if (segment === undefined) return redactedPart;
  const lower = segment.toLowerCase().normalize("NFC");
  const unsafe = lower.length > segmentCharsMax || unusual.test(lower) || looksPersonal(lower);
  return unsafe ? redactedPart : lower;
}

/** Decoded once. A percent sign that is left was encoded twice, to hide something. */
function decode(segment: string): string | undefined {
  if (!segment.isWellFormed()) return undefined;
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not UTF-8 once decoded: no page of the product.
    return undefined;
  }
}

function looksPersonal(segment: string): boolean {
  return (
    longDigits.test(segment.replaceAll(/[\s().+-]/g, "")) ||
    address.test(segment) ||
    hexadecimal.test(segment) ||
    mixedToken.test(segment)
  );
}
