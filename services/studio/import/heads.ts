import { contactsIn } from "./contact.ts";
import type { EntryLines } from "./entries.ts";
import { type Line, type Span, textOfPart } from "./lines.ts";

/** What the lines above the text of an entry say. */
export type Head = {
  readonly title: string;
  /** What stands beside or below it, in its order. */
  readonly pieces: readonly string[];
  readonly url: string;
  /** The pieces were divided at commas alone. */
  readonly isGuess: boolean;
};

const separators = /\s*[|•·]\s*|\s+[-\u2013\u2014]\s+|,\s+/u;
const edges = /^[\s,;:|•·\u2013\u2014-]+|[\s,;:|•·\u2013\u2014-]+$/gu;
const clean = (text: string): string => text.replaceAll(edges, "");

const piecesOf = (text: string): string[] =>
  text
    .split(separators)
    .map(clean)
    .filter((piece) => piece !== "");

/** The bold beginning of a part, and what follows in another weight. */
function dividedByWeight(part: readonly Span[]): readonly [title: string, rest: string] {
  // Signs and emoji have no bold form.
  const end = part.findIndex(({ bold, text }) => !bold && /[\p{L}\p{N}]/u.test(text));
  return end <= 0
    ? [textOfPart(part), ""]
    : [clean(textOfPart(part.slice(0, end))), textOfPart(part.slice(end))];
}

function addressIn(pieces: readonly string[]): string {
  const found = pieces.find((piece) => {
    const { links, rest } = contactsIn(piece);
    return links.length === 1 && /^[\s|]*$/.test(rest);
  });
  return found ?? "";
}

const linkOf = (heads: readonly Line[]): string =>
  heads
    .flatMap(({ parts }) => parts.flat())
    .map(({ link }) => link)
    .find((link) => link?.startsWith("https:")) ?? "";

/** Reads the lines above the text of an entry. */
export function headOf({ heads }: EntryLines): Head {
  const [first, ...more] = heads;
  const [part = [], ...others] = first?.parts ?? [];
  const [title, rest] = dividedByWeight(part);
  const texts = [
    rest,
    ...others.map(textOfPart),
    ...more.flatMap(({ parts }) => parts.map(textOfPart)),
  ];
  const pieces = texts.flatMap(piecesOf);
  const isGuess = pieces.length === 0 && separators.test(title);
  const [name = "", ...further] = isGuess ? piecesOf(title) : [title, ...pieces];
  const address = addressIn(further);
  return {
    title: name,
    pieces: further.filter((piece) => piece !== address),
    url: address === "" ? linkOf(heads) : address,
    isGuess,
  };
}

const roleWords =
  /(?<!\p{L})(?:manager|engineer|developer|designer|analyst|director|lead|leader|head of|officer|consultant|assistant|specialist|nurse|teacher|architect|coordinator|intern|administrator|technician|president|founder|co-founder|ceo|cto|accountant|representative|associate|scientist|researcher|editor|writer|instructor|volunteer|supervisor|recruiter|clerk|programmer|product owner|מנהל|מנהלת|מנהלן|מהנדס|מהנדסת|מפתח|מפתחת|מעצב|מעצבת|אנליסט|אנליסטית|ראש צוות|סמנכ״ל|מנכ״ל|יועץ|יועצת|עוזר|עוזרת|מזכיר|מזכירה|אחות|אח מוסמך|מורה|רכז|רכזת|מתאם|מתאמת|טכנאי|טכנאית|מדריך|מדריכה|נציג|נציגה|נציגת|חוקר|חוקרת|עורך|עורכת|מתמחה|מתנדב|מתנדבת|תוכניתן|תכנת)(?!\p{L})/iu;
const institutionWords =
  /universit|college|institute|school|academy|technion|אוניברסיט|מכללה|מכללת|הטכניון|מכון|בית ספר|תיכון|האקדמי/iu;
const degreeWords =
  /(?<!\p{L})(?:b\.?\s?sc|b\.?a|b\.?ed|b\.?eng|b\.?tech|bfa|llb|ll\.b|m\.?\s?sc|m\.?a|m\.?eng|mba|ph\.?\s?d|bachelor(?:['’]s)?|master(?:['’]s)?|doctorate|diploma|degree|certificate|high school|matriculation|תואר|תעודה|תעודת|דוקטורט|הנדסאי|הנדסאית|בגרות|בוגר|בוגרת|מוסמך|מוסמכת)(?![\p{L}])/iu;

/** The same head with the piece first that matches, where the title does not. */
function withFirst(head: Head, isWanted: (text: string) => boolean): Head {
  const index = head.pieces.findIndex(isWanted);
  if (isWanted(head.title) || index === -1) return head;
  const title = head.pieces[index] ?? "";
  return { ...head, title, pieces: [head.title, ...head.pieces.toSpliced(index, 1)] };
}

/** Role first, whichever of role and organisation stands first in the file. */
export const roleFirst = (head: Head): Head => withFirst(head, (text) => roleWords.test(text));

/** What was studied first, whichever of it and the institution stands first in the file. */
export function studiesFirst(head: Head): Head {
  return institutionWords.test(head.title) && !degreeWords.test(head.title)
    ? withFirst(head, (text) => !institutionWords.test(text))
    : head;
}

/** Degree and field of `B.Sc., Statistics` or `B.A. in Economics`. */
export function studiesOf(title: string): { readonly degree: string; readonly field: string } {
  if (!degreeWords.test(title)) return { degree: "", field: title };
  const [, degree = title, field = ""] =
    /^(.+?)(?:,\s+|\s+in\s+|\s+[-\u2013]\s+)(.+)$/iu.exec(title) ?? [];
  return { degree, field };
}
