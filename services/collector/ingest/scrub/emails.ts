import { type Finding, matches } from "./finding.ts";

const mark = "[email]";

const localChar = /[^\s"<>(),:;@\\[\]&?=#/{}|]/;
/** What RFC 5322 allows besides; taken only where nothing else is left of the name. */
const rareLocalChar = /[^\s"<>(),:;@\\[\]]/;
const domain =
  /[ ]?(?:\[[\d.:a-fipv]{3,60}\]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?)/iuy;
/** `react@18.2.0`, `pkg@latest`, `icon@2x.png`. */
const notDomain =
  /^(?:[\^~v]?\d+(?:\.\d+)*(?:-(?:alpha|beta|rc|canary|next|dev|pre|snapshot)[\d.]*)?|latest|next|beta|alpha|canary|rc|\dx(?:\.(?:png|jpe?g|gif|svg|webp|avif))?)$/i;

const atWord =
  /(?:\s{0,2}[([{<]\s?(?:at|@|שטרודל|כרוכית)\s?[)\]}>]\s{0,2}|\s(?:at|@|שטרודל|כרוכית)\s|_at_)/giu;
const dottedName =
  /[\p{L}\p{N}-]{1,63}(?:(?:\.|\s?[([{<]\s?(?:dot|\.|נקודה)\s?[)\]}>]\s?|\s(?:dot|נקודה)\s|_dot_)[\p{L}\p{N}-]{1,63}){1,5}/iuy;
const commonEnd = /(?:com|org|net|edu|gov|io|co|me|info|biz|dev|app|ai|[a-z]{2}|קום)$/i;
/** Words before "at" that name no person. */
const noName =
  /^(?:us|me|him|her|them|it|is|are|be|was|now|here|there|out|up|only|all|also|available|online|live|visit|find|found|look|looking|meet|work|works|working|job|jobs|apply|read|more|site|website|page|shop|contact|mail|team|of|and|or|\w+ing)$/i;

/**
 * E-mail addresses (RFC 5322, RFC 6531): of any script, with a quoted name, with an address instead
 * of a domain, and written in words (`jane (at) example dot com`) where that is unmistakable.
 */
export function* emails(text: string): Iterable<Finding> {
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const to = domainEnd(text, at + 1);
    const from = to === undefined ? at : localStart(text, at);
    if (to === undefined || from === at) continue;
    // The package `@scope/name` after a quote or a star has neither a name nor a dot.
    if (/[\p{L}\p{N}]/u.test(text.slice(from, at)) || text.slice(at, to).includes("."))
      yield { mark, from, to };
  }
  yield* inWords(text);
}

function domainEnd(text: string, from: number): number | undefined {
  domain.lastIndex = from;
  const [found] = domain.exec(text) ?? [];
  if (found === undefined || notDomain.test(found)) return undefined;
  if (found.startsWith(" ") && !/\.[a-z]{2,}$/i.test(found)) return undefined;
  return from + found.length;
}

/** Each name ends at an at sign, so that no character is read twice. */
function localStart(text: string, at: number): number {
  if (text[at - 1] === '"') return quotedStart(text, at);
  const start = runStart(text, at, localChar);
  return start < at ? start : runStart(text, at, rareLocalChar);
}

function runStart(text: string, end: number, char: RegExp, charsMax = end): number {
  let start = end;
  while (start > end - charsMax && char.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function quotedStart(text: string, at: number): number {
  const escaped = text[at - 2] === "\\";
  const open = text.lastIndexOf('"', at - (escaped ? 3 : 2));
  if (open === -1 || at - open > 80) return at;
  return escaped && text[open - 1] === "\\" ? open - 1 : open;
}

function* inWords(text: string): Iterable<Finding> {
  for (const { from, to } of matches(mark, text, atWord)) {
    const start = runStart(text, from, /[\p{L}\p{N}._+-]/u, Math.min(64, from));
    dottedName.lastIndex = to;
    const [name] = dottedName.exec(text) ?? [];
    const local = text.slice(start, from);
    if (name === undefined || local === "" || !commonEnd.test(name)) continue;
    const marked = /[^\s@]/.test(text.slice(from, to).replace(/at|שטרודל|כרוכית/iu, ""));
    const spelled = /dot|נקודה/iu.test(name) && !noName.test(local);
    const peculiar = /[\d._+]/.test(local) && text.slice(from, to).includes("@");
    if (marked || spelled || peculiar) yield { mark, from: start, to: to + name.length };
  }
}
