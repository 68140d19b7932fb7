/** Rules for one text of one language. Each returns what is wrong, or nothing. */
export type Language = "en" | "he";
type TextRule = {
  name: string;
  breaks: (text: string, language: Language, key: string) => boolean;
};

/** Names that stay in Latin letters in Hebrew text. */
const LATIN_NAMES = [
  "Pro Talent",
  "Do Not Track",
  "Global Privacy Control",
  "Google Analytics",
  "LinkedIn",
  "Indeed",
  "WhatsApp",
  "Workday",
  "DB-IP",
];

const PLACEHOLDER = /\{\{[^}]*\}\}/gu;
const TAG = /<\/?[\w-]+\s*\/?>/gu;
const ADDRESS = /\S+@\S+|https?:\/\/\S+|\/[\w/-]+/gu;
const BIDI_CONTROL = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const NIQQUD = /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/u;

/** Texts that the specification gives to the letter, with its straight apostrophes. */
const AS_SPECIFIED: ReadonlySet<string> = new Set([
  "The page you are looking for doesn't exist or has been moved.",
]);

function prose(text: string): string {
  const bare = text.replace(PLACEHOLDER, " ").replace(TAG, " ").replace(ADDRESS, " ");
  return LATIN_NAMES.reduce((rest, name) => rest.replaceAll(name, " "), bare);
}

/** Two Latin words in a row, or one longer than fifteen letters, are a text left untranslated. */
function hasLatinRun(text: string): boolean {
  const runs = prose(text).match(/[A-Za-z][A-Za-z'’-]*(?:\s+[A-Za-z][A-Za-z'’-]*)*/gu) ?? [];
  return runs.some((run) => /\s/u.test(run) || run.length > 15);
}

function isBalanced(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1;
  return count("(") === count(")") && count("“") === count("”") && count("[") === count("]");
}

/** A language is named in itself, in every language: `language.he` is `עברית` in English too. */
function namesLanguage(key: string): boolean {
  return /[.:](en|he|english|hebrew)$/u.test(key);
}

export const textRules: TextRule[] = [
  { name: "is empty", breaks: (text) => text.trim() === "" },
  { name: "begins or ends with a space", breaks: (text) => text !== text.trim() },
  { name: "has two spaces in a row", breaks: (text) => /\s{2,}/u.test(text) },
  { name: "has a space before punctuation", breaks: (text) => /\s[,.;:!?](?:\s|$)/u.test(text) },
  { name: "shouts", breaks: (text) => /!{2,}|\?!|!\?/u.test(text) },
  { name: "has unpaired brackets or quotation marks", breaks: (text) => !isBalanced(text) },
  { name: "has a direction control character", breaks: (text) => BIDI_CONTROL.test(text) },
  {
    name: "has Hebrew letters in English",
    breaks: (text, language, key) =>
      language === "en" && !namesLanguage(key) && /\p{Script=Hebrew}/u.test(text),
  },
  {
    name: "has a run of Latin words in Hebrew",
    breaks: (text, language, key) => language === "he" && !namesLanguage(key) && hasLatinRun(text),
  },
  {
    name: "has a straight quotation mark where Hebrew writes gershayim",
    breaks: (text, language) => language === "he" && /["']/u.test(prose(text)),
  },
  {
    name: "has a hyphen where Hebrew writes a maqaf",
    breaks: (text, language) =>
      language === "he" && /\p{Script=Hebrew}-[\p{Script=Hebrew}\p{N}]/u.test(text),
  },
  {
    name: "has vowel points",
    breaks: (text, language) => language === "he" && NIQQUD.test(text),
  },
  {
    name: "has a straight quotation mark",
    breaks: (text, language) =>
      language === "en" && !AS_SPECIFIED.has(text) && /["']/u.test(prose(text)),
  },
];

/** `{{name}}` placeholders and `<tag>`s of a text, sorted. */
export function slots(text: string): string[] {
  const found = [...(text.match(PLACEHOLDER) ?? []), ...(text.match(TAG) ?? [])];
  return found.map((slot) => slot.replaceAll(/\s/gu, "")).toSorted();
}

/** How a text ends: both languages must end alike. */
export function ending(text: string): "stop" | "question" | "exclamation" | "colon" | "open" {
  const last = text.trim().at(-1);
  if (last === ".") return "stop";
  if (last === "?") return "question";
  if (last === "!") return "exclamation";
  return last === ":" ? "colon" : "open";
}
