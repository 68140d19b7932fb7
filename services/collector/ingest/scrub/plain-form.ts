/** A text as a person reads it, with the place in the stored text that each of its units came from. */
export type PlainForm = {
  readonly text: string;
  /** Where `text.slice(from, to)` is in the stored text. */
  readonly source: (from: number, to: number) => readonly [number, number];
};

/** Latin, Cyrillic and Hebrew characters have one form only. */
const needsWork = /[^\x20-\x7e\u00c0-\u00ff\u0400-\u04ff\u05d0-\u05ea]|%[0-9a-f]{2}|&[#a-z]|\\u/i;
const escapes = /(?:%[0-9a-f]{2})+|&#\d{1,7};|&#x[0-9a-f]{1,6};|&[a-z]{2,6};|\\u[0-9a-f]{4}/gi;
/** An address in a query string is encoded once, in a link within it twice; programs add to that. */
const passesMax = 6;

/** What may be written as a name within an address or a number. */
const entities: Readonly<Record<string, string>> = {
  amp: "&",
  commat: "@",
  period: ".",
  colon: ":",
  plus: "+",
  lowbar: "_",
  hyphen: "-",
  dash: "-",
  nbsp: " ",
  quot: '"',
  lpar: "(",
  rpar: ")",
  sol: "/",
  shy: "",
  zwnj: "",
  zwj: "",
  lrm: "",
  rlm: "",
};

class Builder {
  readonly units: string[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  add(text: string, start: number, end: number): void {
    for (let at = 0; at < text.length; at += 1) {
      this.units.push(text.charAt(at));
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  build(): Traced {
    return { text: this.units.join(""), starts: this.starts, ends: this.ends };
  }
}

type Traced = { text: string; starts: readonly number[]; ends: readonly number[] };

/**
 * Undoes what hides an address or a number from a search, in time linear in the length: percent
 * encoding, HTML entities and `\u` escapes up to six deep, compatibility forms such as full-width
 * characters (NFKC, Unicode Standard Annex 15), digits of other scripts, invisible characters, and
 * the many dashes, spaces and dots.
 */
export function plainForm(stored: string): PlainForm {
  if (!needsWork.test(stored)) return { text: stored, source: (from, to) => [from, to] };
  let traced: Traced | undefined;
  for (let pass = 0; pass < passesMax; pass += 1) {
    const text = traced?.text ?? stored;
    if (text.search(escapes) === -1) break;
    traced = decoded(text, traced);
  }
  const { text, starts, ends } = folded(traced?.text ?? stored, traced);
  return { text, source: (from, to) => [starts[from] ?? 0, ends[to - 1] ?? stored.length] };
}

function decoded(text: string, of: Traced | undefined): Traced {
  const out = new Builder();
  const copy = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1)
      out.add(text.charAt(at), of?.starts[at] ?? at, of?.ends[at] ?? at + 1);
  };
  let done = 0;
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    copy(done, index);
    done = index + escape.length;
    let at = index;
    for (const [character, chars] of charactersOf(escape)) {
      out.add(character, of?.starts[at] ?? at, of?.ends[at + chars - 1] ?? at + chars);
      at += chars;
    }
  }
  copy(done, text.length);
  return out.build();
}

/** The characters of an escape, each with the length of what it was written as. */
function charactersOf(escape: string): readonly (readonly [string, number])[] {
  const whole = (character: string): [string, number][] => [[character, escape.length]];
  if (escape.startsWith("%")) return percentDecoded(Buffer.from(escape.replaceAll("%", ""), "hex"));
  if (escape.startsWith("\\u")) return whole(String.fromCharCode(parseInt(escape.slice(2), 16)));
  const name = escape.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return whole(entities[name] ?? escape);
  const code = name.startsWith("#x") ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  return whole(code <= 0x10ffff ? String.fromCodePoint(code) : " ");
}

/** UTF-8, one character after the other (RFC 3629 §3); what is none becomes U+FFFD. */
function percentDecoded(bytes: Buffer): [string, number][] {
  const characters: [string, number][] = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes.readUInt8(at);
    const size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const end = Math.min(at + size, bytes.length);
    characters.push([bytes.toString("utf8", at, end), 3 * (end - at)]);
    at = end;
  }
  return characters;
}

function folded(text: string, of: Traced | undefined): Traced {
  const out = new Builder();
  let at = 0;
  for (const character of text) {
    const last = at + character.length - 1;
    out.add(foldedForm(character), of?.starts[at] ?? at, of?.ends[last] ?? last + 1);
    at = last + 1;
  }
  return out.build();
}

const asciiOrHebrew = /[\x20-\x7e\u05d0-\u05ea]/;
const invisible = /[\p{Cf}\p{Variation_Selector}\u034f\u115f\u1160\u3164]/u;
const looksLike: readonly (readonly [RegExp, string])[] = [
  [/[\p{Z}\p{Cc}]/u, " "],
  [/[\p{Pd}\u2212\u02d7]/u, "-"],
  [/[\u3002\uff61\u2024\u06d4]/u, "."],
];

/** Of characters of one UTF-16 unit, so that their number is bounded. */
const foldedForms = new Map<string, string>();

function foldedForm(character: string): string {
  if (asciiOrHebrew.test(character)) return character;
  const known = foldedForms.get(character);
  if (known !== undefined) return known;
  const form = foldedCharacter(character);
  if (character.length === 1) foldedForms.set(character, form);
  return form;
}

function foldedCharacter(character: string): string {
  if (invisible.test(character)) return "";
  const [, plain] = looksLike.find(([pattern]) => pattern.test(character)) ?? [];
  if (plain !== undefined) return plain;
  const compatible = character.normalize("NFKC");
  return /\p{Nd}/u.test(compatible) ? compatible.replaceAll(/\p{Nd}/gu, digitValue) : compatible;
}

const digitValues = new Map<string, string>();

/** Decimal digits of a script are ten neighbours that begin with zero (Unicode Standard §4.6). */
function digitValue(digit: string): string {
  const known = digitValues.get(digit);
  if (known !== undefined) return known;
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  const value = String((code - zero) % 10);
  digitValues.set(digit, value);
  return value;
}
