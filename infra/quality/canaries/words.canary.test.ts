import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";

import { readCatalogue } from "../words/catalogue.ts";
import { compareCatalogues } from "../words/compare.ts";
import { compareUsage, readUsage } from "../words/used-keys.ts";
import { plant, type Files, type Plot } from "./plant.ts";

let plot: Plot | undefined;

afterEach(() => plot?.remove());

/** What the checker says about two catalogues and one component. */
function verdict(en: unknown, he: unknown, component = ""): string[] {
  const files: Files = {
    "web/i18n/en/site.json": typeof en === "string" ? en : JSON.stringify(en),
    "web/i18n/he/site.json": JSON.stringify(he),
    "web/app/page.tsx": component,
  };
  plot = plant(files);
  const web = join(plot.directory, "web");
  const [left, right] = [readCatalogue(join(web, "i18n/en")), readCatalogue(join(web, "i18n/he"))];
  const keys = new Set(left.entries.map((entry) => entry.key));
  return [...compareCatalogues(left, right), ...compareUsage(keys, readUsage(web))];
}

const SAID = `const { t } = useTranslation('site');\nexport const a = t('a');\n`;

describe("the words of both languages", () => {
  it("pass when both say the same and all of it is used", () => {
    const component = `const { t } = useTranslation('site');\nexport const all = [t('a', { count: 2 }), t(\`plans.\${code}\`), { label: 'nav.about' }];`;
    const en = {
      a_one: "{{count}} visit.",
      a_other: "{{count}} visits.",
      plans: { free: "Free", pro: "Pro" },
      nav: { about: "About" },
    };
    const he = {
      a_one: "ביקור אחד.",
      a_two: "שני ביקורים.",
      a_other: "{{count}} ביקורים.",
      plans: { free: "חינם", pro: "מקצועי" },
      nav: { about: "אודות Pro Talent" },
    };
    expect(verdict(en, he, component)).toEqual([]);
  });

  it.each<[string, unknown, unknown]>([
    ["he lacks site:a", { a: "Yes" }, { b: "כן" }],
    ["en lacks site:b", { a: "Yes" }, { a: "כן", b: "כן" }],
    [
      "he site:a lacks the plural form two",
      { a_one: "One", a_other: "All" },
      { a_one: "אחד", a_other: "הכול" },
    ],
    [
      "en site:a lacks the plural form one",
      { a_other: "All" },
      { a_one: "אחד", a_two: "שניים", a_other: "הכול" },
    ],
    [
      "he site:a has the form many",
      { a_one: "One", a_other: "All" },
      { a_one: "אחד", a_two: "שניים", a_many: "הרבה", a_other: "הכול" },
    ],
    ["site:a has other placeholders or tags in en and he", { a: "Hi {{name}}" }, { a: "שלום" }],
    ["site:a has other placeholders or tags in en and he", { a: "Go <b>now</b>" }, { a: "עכשיו" }],
    ["site:a ends with other punctuation in en and he", { a: "Yes." }, { a: "כן" }],
    ["en site:a has Hebrew letters in English", { a: "כן" }, { a: "כן" }],
    ["he site:a has a run of Latin words in Hebrew", { a: "All good" }, { a: "All good" }],
    ["en site:a begins or ends with a space", { a: " Yes" }, { a: "כן" }],
    ["he site:a has two spaces in a row", { a: "Yes" }, { a: "כן  כן" }],
    ["en site:a is empty", { a: "" }, { a: "כן" }],
    ["en site:a has a space before punctuation", { a: "Yes ." }, { a: "כן." }],
    ["en site:a shouts", { a: "Yes!!" }, { a: "כן!" }],
    ["en site:a has unpaired brackets or quotation marks", { a: "Yes (no" }, { a: "כן" }],
    ["he site:a has a direction control character", { a: "Yes" }, { a: "\u200Fכן" }],
    [
      "he site:a has a straight quotation mark where Hebrew writes gershayim",
      { a: "NIS" },
      { a: 'ש"ח' },
    ],
    [
      "he site:a has a straight quotation mark where Hebrew writes gershayim",
      { a: "Name" },
      { a: 'המילה "שם"' },
    ],
    ["he site:a has a hyphen where Hebrew writes a maqaf", { a: "Resume" }, { a: "קורות-חיים" }],
    ["he site:a has a hyphen where Hebrew writes a maqaf", { a: "In 14 days" }, { a: "ב-14 ימים" }],
    ["he site:a has vowel points", { a: "Peace" }, { a: "שָׁלוֹם" }],
    ["en site:a has a straight quotation mark", { a: "Don't" }, { a: "לא" }],
    ["en site:a has a straight quotation mark", { a: 'Say "yes"' }, { a: "כן" }],
    ["site:a is not a text", { a: 1 }, { a: "כן" }],
  ])("report: %s", (problem, en, he) => {
    expect(verdict(en, he, SAID)).toContain(problem);
  });

  it("report a key written twice", () => {
    const found = verdict('{"a": "Yes", "a": "No"}', { a: "כן" }, SAID);
    expect(found.join("\n")).toContain("Map keys must be unique");
  });

  it("report a key that nothing asks for", () => {
    expect(verdict({ a: "Yes", b: "No" }, { a: "כן", b: "לא" }, SAID)).toEqual([
      "nothing asks for site:b",
    ]);
  });

  it("report a text that no catalogue has", () => {
    const component = `${SAID}export const b = t('b');\nexport const c = <Trans i18nKey="site:c" />;`;
    expect(verdict({ a: "Yes" }, { a: "כן" }, component)).toEqual([
      `app/page.tsx asks for 'b', which no catalogue has`,
      `app/page.tsx asks for "site:c", which no catalogue has`,
    ]);
  });

  it("report a missing catalogue", () => {
    plot = plant({});
    expect(readCatalogue(join(plot.directory, "web/i18n/en")).problems).toHaveLength(1);
  });
});
