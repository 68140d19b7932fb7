import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import {
  accents,
  densities,
  fontPairs,
  type Page,
  templates,
} from "@pro-talent/schemas/studio/page";

import { corpusWords } from "./corpus-words.ts";

/** What is unusual about a document. Characters of `cjk` have no glyph in the typefaces of the product. */
export const oddities = [
  "none",
  "none",
  "none",
  "mixed",
  "long",
  "emoji",
  "cjk",
  "empty",
  "extreme",
] as const;
type Oddity = (typeof oddities)[number];

/** Mulberry32: the same seed gives the same sequence on every machine. */
function sequenceOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("Nothing to pick from");
    return item;
  };
  return { below, pick };
}
type Sequence = ReturnType<typeof sequenceOf>;

export type CorpusCv = {
  readonly seed: number;
  readonly oddity: Oddity;
  readonly document: CvDocument;
};

const additions: Readonly<Record<Oddity, readonly string[]>> = {
  none: [""],
  mixed: [
    " (בעברית: ניסוי 7)",
    " in plain English, 42 ms",
    " – גרסה v2.1 של API",
    " (see דו״ח 2023)",
  ],
  long: [
    ` ${"Donaudampfschifffahrtsgesellschaft".repeat(3)}`,
    ` ${"שלום".repeat(20)}`,
    " x".repeat(3),
  ],
  emoji: [" \u{1F680}", " \u{1F469}\u200D\u{1F4BB} \u2764\uFE0F", " \u{1F1EE}\u{1F1F1}"],
  cjk: [" 東京", " 数据分析", " 서울"],
  empty: [""],
  extreme: [
    " ½ ™ © № … “quoted” ‘it’",
    " <b>&amp;</b> #set text() $x^2$ \\ \" ' `",
    " e\u0301 ﬁ Ω я ß",
  ],
};

function oneCv(seed: number, oddity: Oddity, language: Locale, jobs: number) {
  const sequence = sequenceOf(seed);
  const { below, pick } = sequence;
  const words = corpusWords[language];
  let ids = 0;
  const id = (): string => `n${(ids += 1)}`;
  const odd = (): string => pick(additions[oddity]);
  const sentence = (): string =>
    `${pick(words.verbs)} ${pick(words.objects)} ${pick(words.ends)}${odd()}.`;
  const month = (from = 2004 + below(20)): string =>
    `${from}${below(3) === 0 ? "" : `-${String(1 + below(12)).padStart(2, "0")}`}`;
  const maybe = <T>(value: T, otherwise: T): T =>
    oddity === "empty" || below(5) === 0 ? otherwise : value;
  let year = 2026;
  const period = () => {
    year = Math.max(1960, year - 1 - below(3));
    const start = maybe(month(year), "");
    return {
      start,
      end: maybe(month(Math.min(2026, year + 1 + below(2))), year > 2022 ? "present" : ""),
    };
  };
  const bullets = (most: number) =>
    Array.from({ length: maybe(1 + below(most), 0) }, () => ({
      id: id(),
      text: marked(sequence, sentence()),
    }));
  const position = () => ({
    id: id(),
    role: pick(words.roles) + odd(),
    organisation: maybe(pick(words.organisations), ""),
    place: maybe(pick(words.places), ""),
    ...period(),
    url: pick(["", "", "https://carmel.example.com/work", "not a link"]),
    bullets: bullets(5),
  });
  const some = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: 1 + below(most) }, make);
  const section = (kind: string, entries: object[], title = "") => ({
    id: id(),
    kind,
    title,
    entries,
  });
  const sections = [
    section("summary", [
      { id: id(), text: marked(sequence, [sentence(), sentence(), sentence()].join(" ")) },
    ]),
    section("experience", Array.from({ length: jobs }, position)),
    section(
      "education",
      some(2, () => ({
        id: id(),
        institution: pick(words.organisations),
        degree: maybe(pick(words.degrees), ""),
        field: pick(words.fields),
        grade: pick(["", "91/100", "3.9 GPA"]),
        ...period(),
        bullets: [],
      })),
    ),
    section(
      "projects",
      some(2, () => ({
        id: id(),
        name: `Atlas ${below(90)}`,
        role: pick(words.roles),
        ...period(),
        url: "example.com/atlas",
        bullets: bullets(2),
      })),
    ),
    section(
      "skills",
      some(3, () => ({
        id: id(),
        name: pick(words.groups),
        items: [...new Set(some(8, () => pick(words.skills)))],
      })),
    ),
    section(
      "languages",
      some(4, () => ({ id: id(), name: pick(words.languages), fluency: pick(words.fluency) })),
    ),
    section(
      "certificates",
      some(2, () => ({
        id: id(),
        name: `CPACC ${below(50)}`,
        issuer: "IAAP",
        date: month(),
        url: "",
      })),
    ),
    section("volunteering", maybe([position()], [])),
    section(
      "publications",
      maybe(
        [{ id: id(), name: sentence(), publisher: "CHI", date: month(), url: "", summary: [] }],
        [],
      ),
    ),
    section(
      "custom",
      [
        {
          id: id(),
          title: pick(words.roles),
          subtitle: "",
          place: "",
          ...period(),
          url: "",
          bullets: bullets(3),
        },
      ],
      language === "he" ? "שירות צבאי" : "Military service",
    ),
  ];
  const kept = oddity === "empty" ? sections.filter(() => below(2) === 0) : sections;
  return readCvDocument({
    version: 1,
    language,
    page: pageOf(sequence),
    profile: profileOf(sequence, language, oddity),
    sections: kept,
  });
}

function pageOf({ pick }: Sequence): Partial<Page> {
  return {
    size: pick(["a4", "a4", "us"]),
    template: pick(templates),
    accent: pick(accents),
    density: pick(densities),
    fonts: pick(fontPairs),
  };
}

function profileOf({ below, pick }: Sequence, language: Locale, oddity: Oddity) {
  const words = corpusWords[language];
  const user = pick(["dana.levi", "d_cohen+cv", "o'connor", "noa-bd", "z.van.der.berg1987"]);
  const name = pick(words.names);
  return {
    fullName: oddity === "extreme" ? `${name} ${"x".repeat(120)}` : name,
    headline: oddity === "empty" ? "" : pick(words.roles),
    email: oddity === "empty" && below(2) === 0 ? "" : `${user}@mail${below(90)}.example.com`,
    phone: oddity === "empty" ? "" : `+972 5${below(10)}-${100 + below(900)}-${1000 + below(9000)}`,
    place: pick(words.places),
    links: [
      {
        id: "link1",
        label: "LinkedIn",
        url: `https://www.linkedin.com/in/${user.replaceAll(/[^a-z]/g, "-")}`,
      },
      { id: "link2", label: pick(["", "Portfolio"]), url: "https://portfolio.example.com/work" },
    ].slice(0, below(3)),
  };
}

/** Marks a few words of a text, and sometimes links them. */
function marked({ below, pick }: Sequence, text: string) {
  const [first = "", ...rest] = text.split(" ");
  const second = rest.slice(0, 3).join(" ");
  const others = rest.slice(3);
  if (others.length < 2) return [{ text }];
  return [
    { text: `${first} ` },
    {
      text: second,
      bold: below(3) === 0,
      italic: below(4) === 0,
      link: pick([null, null, null, "https://example.com/case"]),
    },
    { text: ` ${others.join(" ")}` },
  ];
}

/** Documents of one to about six pages, in both languages and with every oddity by turns. */
export function corpus(count: number, seed = 1): CorpusCv[] {
  return Array.from({ length: count }, (_, index) => {
    const language = locales[index % locales.length] ?? "en";
    const oddity = oddities[Math.floor(index / 2) % oddities.length] ?? "none";
    const jobs =
      oddity === "extreme" ? 30 : ([2, 3, 4, 6, 9, 14, 20][Math.floor(index / 18) % 7] ?? 3);
    const own = seed * 100_003 + index;
    return { seed: own, oddity, document: oneCv(own, oddity, language, jobs) };
  });
}

/** A document that looks like one of a person, of about as many pages. */
export function ordinaryCv(language: Locale, pages: number, page: Partial<Page>): CvDocument {
  const document = oneCv(language === "he" ? 12 : 11, "none", language, pages === 1 ? 2 : 6);
  const usual = ["summary", "experience", "education", "skills", "languages"];
  const sections = document.sections.filter(({ kind }) => pages > 1 || usual.includes(kind));
  return { ...document, sections, page: { ...document.page, ...page } };
}
