import type { Catalogue, Entry, PluralForm } from "./catalogue.ts";
import { ending, slots, textRules, type Language } from "./text-rules.ts";

/** Cardinal plural forms that a whole number can take in each language (CLDR 42 and later). */
const FORMS: Record<Language, readonly PluralForm[]> = {
  en: ["one", "other"],
  he: ["one", "two", "other"],
};

const full = (entry: Entry): string =>
  entry.form === undefined ? entry.key : `${entry.key}_${entry.form}`;

function textProblems(entries: readonly Entry[], language: Language): string[] {
  return entries.flatMap((entry) =>
    textRules
      .filter((rule) => rule.breaks(entry.text, language, entry.key))
      .map((rule) => `${language} ${full(entry)} ${rule.name}`),
  );
}

function pluralProblems(entries: readonly Entry[], language: Language): string[] {
  const forms = new Map<string, Set<PluralForm | undefined>>();
  for (const entry of entries) {
    forms.set(entry.key, (forms.get(entry.key) ?? new Set()).add(entry.form));
  }
  return [...forms].flatMap(([key, had]) => {
    if (had.size === 1 && had.has(undefined)) return [];
    const wanted = FORMS[language];
    const missing = wanted.filter((form) => !had.has(form));
    const odd = [...had].filter((form) => form === undefined || !wanted.includes(form));
    return [
      ...missing.map((form) => `${language} ${key} lacks the plural form ${form}`),
      ...odd.map((form) => `${language} ${key} has the form ${form ?? "without ending"}`),
    ];
  });
}

/** `one` and `two` may say the number in words, so there `{{count}}` may be left out. */
function sameSlots(left: Entry, right: Entry): boolean {
  const spelled = (entry: Entry): boolean => entry.form === "one" || entry.form === "two";
  const of = (entry: Entry): string =>
    slots(entry.text)
      .filter((slot) => slot !== "{{count}}" || !(spelled(left) || spelled(right)))
      .join(" ");
  return of(left) === of(right);
}

function pairProblems(en: readonly Entry[], he: readonly Entry[]): string[] {
  const problems: string[] = [];
  for (const entry of he) {
    const twins = en.filter((other) => other.key === entry.key);
    const twin = twins.find((other) => other.form === entry.form) ?? twins.at(-1);
    if (twin === undefined) problems.push(`en lacks ${entry.key}`);
    else if (!sameSlots(twin, entry)) {
      problems.push(`${full(entry)} has other placeholders or tags in en and he`);
    } else if (ending(twin.text) !== ending(entry.text)) {
      problems.push(`${full(entry)} ends with other punctuation in en and he`);
    }
  }
  const known = new Set(he.map((entry) => entry.key));
  for (const key of new Set(en.map((entry) => entry.key))) {
    if (!known.has(key)) problems.push(`he lacks ${key}`);
  }
  return problems;
}

/** Everything that is wrong with two catalogues of the same texts. */
export function compareCatalogues(en: Catalogue, he: Catalogue): string[] {
  return [
    ...en.problems,
    ...he.problems,
    ...textProblems(en.entries, "en"),
    ...textProblems(he.entries, "he"),
    ...pluralProblems(en.entries, "en"),
    ...pluralProblems(he.entries, "he"),
    ...pairProblems(en.entries, he.entries),
  ];
}
