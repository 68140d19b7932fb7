import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import { readExternalUrl } from "@pro-talent/schemas/links/read-external-url";
import { linkTarget } from "@pro-talent/schemas/studio/link";
import type { Run } from "@pro-talent/schemas/studio/runs";

/** Marks on one character that a script needs; more of them grow over the lines around it. */
const marks = /(\p{M}{4})\p{M}+/gu;

/** Text of an owner as content or as a quoted attribute: nothing in it is HTML, and it stays in its lines. */
export const safe = (text: string): string => escapeHtml(text.replaceAll(marks, "$1"));

/** The same inside other text, whatever its direction. */
export const inline = (text: string): string => `<bdi>${safe(text)}</bdi>`;

/** Where readers may be led: https, and a name of the public internet. Null for all else. */
export function publicAddress(typed: string | null): string | null {
  const target = typed === null ? null : linkTarget(typed);
  if (target?.startsWith("https:") !== true) return null;
  const read = readExternalUrl(target);
  return "url" in read ? read.url : null;
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./u, "");

/** A link whose text is chosen by its owner, with where it leads beside it. */
export const namedLink = (label: string, url: string): string =>
  `<a href="${safe(url)}" rel="${rel}">${inline(label)} ${host(url)}</a>`;

const rel = "noopener noreferrer nofollow ugc";
const host = (url: string): string => `<bdi class="host" dir="ltr">${safe(hostOf(url))}</bdi>`;

/** A link whose text is its address: the one that it has, never the one that was typed. */
export function addressLink(url: string): string {
  const { pathname } = new URL(url);
  const shown = `${hostOf(url)}${pathname === "/" ? "" : pathname}`;
  return `<a href="${safe(url)}" rel="${rel}"><bdi class="host" dir="ltr">${safe(shown)}</bdi></a>`;
}

/** The name of a host in a text, as a reader would understand it. */
const address = /(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/u;

/** A paragraph with its marks. A text that reads like another address than its own has its own beside it. */
export const richHtml = (runs: readonly Run[]): string => runs.map(runHtml).join("");

function runHtml({ text, bold, italic, link }: Run): string {
  const words = safe(text);
  const marked = bold ? `<strong>${words}</strong>` : words;
  const whole = italic ? `<em>${marked}</em>` : marked;
  const url = publicAddress(link);
  if (url === null) return whole;
  const [named] = address.exec(text) ?? [];
  const misleads = named !== undefined && named.replace(/^www\./u, "") !== hostOf(url);
  return `<a href="${safe(url)}" rel="${rel}">${whole}${misleads ? ` ${host(url)}` : ""}</a>`;
}

/** JSON inside a script element: nothing in it ends the element. */
export const scriptJson = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, "0") ?? ""}`,
  );
