import { LRUCache } from "lru-cache";

import { emails } from "./emails.ts";
import type { Finder, Finding } from "./finding.ts";
import { numbers } from "./numbers.ts";
import { plainForm } from "./plain-form.ts";
import { randomTexts, secrets } from "./secrets.ts";
import { addresses, ibans, letteredIds } from "./structured.ts";

/**
 * In this order: what one has found, the next ones do not see. Each has a quick test for the texts
 * in which it can find something.
 */
const finders: readonly (readonly [RegExp, Finder])[] = [
  [/[=:]|[\w-]{12}/, secrets],
  [/@|\bat\b|_at_|שטרודל|כרוכית/i, emails],
  [/[a-z]{2}\d\d[ -]?[a-z\d]{3}/i, ibans],
  [/\d\.\d{1,3}\.\d|[\da-f]:[\da-f]|::|-[\da-f]{2}-/i, addresses],
  [/\d(?:\D{0,3}\d){5}/, letteredIds],
  [/\d(?:\D{0,3}\d){5}/, numbers],
  [/[\w+/=-]{12}/, randomTexts],
];

/** What was found, for those that search after: a plain text has no line breaks. */
const blank = "\n";

/**
 * Without any of these a text holds nothing that is searched for: an at sign or an escape, six digits
 * near each other, an address of a machine, a name before a secret, digits within a word, a long word.
 */
const suspicious = new RegExp(
  [
    String.raw`[@＠﹫%&\\=]`,
    String.raw`\p{N}(?:\P{N}{0,3}\p{N}){5}`,
    String.raw`\d\.\d{1,3}\.\d|::|[\da-f]{1,4}([:-])[\da-f]{1,4}\1[\da-f]|(?:word|wd|token|secret|key|cookie|סיסמ[הא])["' ]{0,2}:`,
    String.raw`[a-z]\d+[a-z]|\d[a-z]+\d|[\w+/-]{16}`,
    String.raw`\bat\b|_at_|שטרודל|כרוכית`,
  ].join("|"),
  "iu",
);

const passesMax = 4;
/** Titles, labels and names of fields repeat. Kept in memory only. */
const remembered = new LRUCache<string, string>({ max: 5_000 });
const rememberedCharsMax = 200;

/**
 * A client's text without personal data and secrets: e-mail addresses, telephone and identity
 * numbers, cards, bank accounts, addresses of machines, keys and tokens become a mark such as
 * `[email]`. Names of people are not found. Idempotent; time linear in the length.
 * @param field the name of the text's field, where it has one: it says what a number is
 */
export function scrub(text: string, field = ""): string {
  if (text.length > rememberedCharsMax) return scrubAll(text, field);
  const key = field === "" ? text : `${field}\n${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const clean = scrubAll(text, field);
  remembered.set(key, clean);
  return clean;
}

function scrubAll(text: string, field: string): string {
  let clean = text;
  // What was found no longer hides what was next to it.
  for (let pass = 0; pass < passesMax; pass += 1) {
    const next = suspicious.test(clean) ? scrubOnce(clean, field) : clean;
    if (next === clean) break;
    clean = next;
  }
  return clean;
}

function scrubOnce(text: string, field: string): string {
  const { text: plain, source } = plainForm(text);
  const found = findAll(plain, field.replaceAll(/([a-z])([A-Z])/g, "$1 $2")).map(
    ({ from, to, mark }): Finding => {
      const [start, end] = source(from, to);
      return { from: start, to: end, mark };
    },
  );
  found.push(...emailsWithEscapes(text, found));
  if (found.length === 0) return text;
  let clean = "";
  let done = 0;
  for (const { from, to, mark } of found.toSorted((a, b) => a.from - b.from)) {
    clean += text.slice(done, Math.max(done, from)) + mark;
    done = Math.max(done, to);
  }
  return clean + text.slice(done);
}

/** A name may contain what reads like an escape (`%0a@example.com`): decoded, nothing is left of it. */
function emailsWithEscapes(text: string, found: readonly Finding[]): Finding[] {
  if (!text.includes("%") || !text.includes("@")) return [];
  return [...emails(text)].filter(
    ({ from, to }) => !found.some((other) => from < other.to && other.from < to),
  );
}

function findAll(plain: string, field: string): Finding[] {
  const found: Finding[] = [];
  let rest = plain;
  for (const [possible, find] of finders) {
    if (!possible.test(rest)) continue;
    const own = merged(find(rest, field));
    found.push(...own);
    if (own.length > 0) rest = blanked(rest, own);
  }
  return found;
}

function merged(findings: Iterable<Finding>): Finding[] {
  const apart: Finding[] = [];
  for (const finding of [...findings].toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last !== undefined && finding.from < last.to) last.to = Math.max(last.to, finding.to);
    else apart.push(finding);
  }
  return apart;
}

function blanked(text: string, findings: readonly Finding[]): string {
  let result = "";
  for (const { from, to } of findings)
    result += text.slice(result.length, from) + blank.repeat(to - from);
  return result + text.slice(result.length);
}
