import type { Catalogue } from "./catalogue.ts";

export type Language = "en" | "he";
type TextRule = { name: string; pattern: RegExp; language?: Language; inProse?: true };

/** Names that stay in Latin script in Hebrew text. */
const LATIN_NAMES =
  /Pro Talent|Do Not Track|Global Privacy Control|Google Analytics|LinkedIn|Indeed|WhatsApp|Workday|DB-IP|Natural Earth|JSON Resume/gu;
const SLOT = /\{\{[^}]*\}\}|<\/?[\w-]+\s*\/?>/gu;
const ADDRESS = /\S+@\S+|https?:\/\/\S+|\/[\w/-]+/gu;
/** A language is named in itself, in every language: `language.he` is `עברית` in English too. */
const LANGUAGE_NAME = /[.:](?:en|he|english|hebrew)$/u;
/** Texts that the specification gives to the character, with its straight apostrophes. */
const AS_SPECIFIED = new Set(["The page you are looking for doesn't exist or has been moved."]);

const textRules: TextRule[] = [
  { name: "is empty", pattern: /^\s*$/u },
  { name: "has a stray space", pattern: /^\s|\s$|\s{2}|\s[,.;:!?](?:\s|$)/u },
  { name: "shouts", pattern: /!{2}|\?!|!\?/u },
  { name: "has Hebrew in English", pattern: /\p{Script=Hebrew}/u, language: "en" },
  { name: "has a straight quotation mark", pattern: /["']/u, language: "en", inProse: true },
  { name: "has a straight quotation mark", pattern: /["']/u, language: "he", inProse: true },
  {
    name: "has untranslated words",
    pattern: /[A-Za-z][A-Za-z'’-]*\s+[A-Za-z]|[A-Za-z'’-]{16}/u,
    language: "he",
    inProse: true,
  },
  {
    name: "has a hyphen for a maqaf",
    pattern: /\p{Script=Hebrew}-[\p{Script=Hebrew}\p{N}]/u,
    language: "he",
  },
  {
    name: "has vowel points",
    pattern: /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/u,
    language: "he",
  },
];

const prose = (text: string): string =>
  [SLOT, ADDRESS, LATIN_NAMES].reduce((rest, pattern) => rest.replaceAll(pattern, " "), text);

const isBalanced = (text: string): boolean =>
  ["()", "“”", "[]"].every(
    (pair) => text.split(pair.charAt(0)).length === text.split(pair.charAt(1)).length,
  );

function textProblems(language: Language, catalogue: Catalogue): string[] {
  return [...catalogue].flatMap(([key, text]) => {
    if (AS_SPECIFIED.has(text) || LANGUAGE_NAME.test(key)) return [];
    const broken = textRules.filter(
      (rule) =>
        (rule.language ?? language) === language &&
        rule.pattern.test(rule.inProse === true ? prose(text) : text),
    );
    const names = [
      ...broken.map(({ name }) => name),
      ...(isBalanced(text) ? [] : ["has unpaired brackets or quotation marks"]),
    ];
    return names.map((name) => `${language} ${key} ${name}`);
  });
}

/** Plural forms that a whole number can take (CLDR 42 and later). */
const FORMS: Record<Language, readonly string[]> = {
  en: ["one", "other"],
  he: ["one", "other", "two"],
};
const PLURAL = /_(zero|one|two|few|many|other)$/u;

/** A key without its plural form. */
export const baseOf = (key: string): string => key.replace(PLURAL, "");

/** The texts of a catalogue by key and plural form, which is empty for a text without forms. */
function formsOf(catalogue: Catalogue): Map<string, Map<string, string>> {
  const forms = new Map<string, Map<string, string>>();
  for (const [key, text] of catalogue) {
    const own = forms.get(baseOf(key)) ?? new Map<string, string>();
    forms.set(baseOf(key), own.set(PLURAL.exec(key)?.[1] ?? "", text));
  }
  return forms;
}

/** Placeholders and tags; `one` and `two` may write the number as a word. */
const slotsOf = (text: string, form: string): string =>
  (text.match(SLOT) ?? [])
    .filter((slot) => slot !== "{{count}}" || !["one", "two"].includes(form))
    .toSorted()
    .join(" ");

const endingOf = (text: string): string => /[.?!:]?$/u.exec(text.trim())?.[0] ?? "";

type Forms = ReadonlyMap<string, string>;

function pairProblems(base: string, en: Forms, he: Forms): string[] {
  return [...he].flatMap(([form, text]) => {
    const twin = en.get(form) ?? en.get("other") ?? text;
    return [
      ...(slotsOf(text, form) === slotsOf(twin, form) ? [] : ["placeholders or tags"]),
      ...(endingOf(text) === endingOf(twin) ? [] : ["punctuation at its end"]),
    ].map((what) => `${base} has other ${what} in en and he`);
  });
}

/** Everything that is wrong with two catalogues of the same texts. */
export function compareCatalogues(en: Catalogue, he: Catalogue): string[] {
  const problems = [...textProblems("en", en), ...textProblems("he", he)];
  const forms = { en: formsOf(en), he: formsOf(he) };
  for (const base of new Set([...forms.en.keys(), ...forms.he.keys()])) {
    const pair = { en: forms.en.get(base), he: forms.he.get(base) };
    const plural = pair.en?.has("") === false || pair.he?.has("") === false;
    for (const language of ["en", "he"] as const) {
      const had =
        pair[language] === undefined ? "none" : [...pair[language].keys()].toSorted().join();
      const wanted = plural ? FORMS[language].join() : "";
      if (had !== wanted) problems.push(`${language} ${base}: forms "${had}", not "${wanted}"`);
    }
    problems.push(...pairProblems(base, pair.en ?? new Map(), pair.he ?? new Map()));
  }
  return problems;
}
