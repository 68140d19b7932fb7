import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { CvDocument, Section } from "@pro-talent/schemas/studio/document";
import { linkTarget, telephoneTarget } from "@pro-talent/schemas/studio/link";
import { plainRuns, type RichText } from "@pro-talent/schemas/studio/rich-text";

import { type Words, wordsOf } from "./words.ts";

/** Text that may lead somewhere. */
export type Linked = { readonly text: string; readonly href: string | null };
/** How a person is reached; `path` is the field of the document that it is from. */
export type Contact = Linked & { readonly path: string };

export type OutlineEntry = {
  readonly id: string;
  /** Empty for a paragraph of its own. */
  readonly title: string;
  readonly subtitle: string;
  readonly place: string;
  readonly dates: string;
  readonly link: Linked | null;
  readonly note: RichText;
  readonly bullets: readonly RichText[];
  /** Of a group of skills or a language: what stands behind its name, in the same line. */
  readonly items: readonly string[];
};
export type OutlineSection = {
  readonly id: string;
  readonly kind: Section["kind"];
  readonly title: string;
  readonly entries: readonly OutlineEntry[];
};

/** A CV as it is read from top to bottom: what is empty or hidden is left out, dates are words. */
export type Outline = {
  readonly language: Locale;
  readonly name: string;
  readonly headline: string;
  readonly contacts: readonly Contact[];
  readonly sections: readonly OutlineSection[];
};

/** A month or year in words: `Mar 2024`, `מרץ 2024`. */
function monthInWords(month: string, language: Locale): string {
  if (month === "present") return wordsOf[language].present;
  const [year = "", number] = month.split("-");
  const name = number === undefined ? undefined : wordsOf[language].months[Number(number) - 1];
  return name === undefined ? year : `${name} ${year}`;
}

const linked = (text: string): Linked | null =>
  text === ""
    ? null
    : {
        text: text.replace(/^https:\/\/(?:www\.)?/, "").replace(/\/$/, ""),
        href: linkTarget(text),
      };

const blank: Omit<OutlineEntry, "id"> = {
  title: "",
  subtitle: "",
  place: "",
  dates: "",
  link: null,
  note: [],
  bullets: [],
  items: [],
};

/** Fields that several kinds of entries have. */
type Usual = {
  readonly id: string;
  readonly place?: string;
  readonly start?: string;
  readonly end?: string;
  readonly date?: string;
  readonly url?: string;
  readonly bullets?: readonly { readonly text: RichText }[];
};

function usual(
  { place = "", start = "", end = "", date = "", url = "", bullets = [] }: Usual,
  language: Locale,
) {
  return {
    place,
    dates: [start, end, date]
      .filter((month) => month !== "")
      .map((month) => monthInWords(month, language))
      .join(" – "),
    link: linked(url),
    bullets: bullets.map(({ text }) => text).filter((text) => text.length > 0),
  };
}

/** What stands first, and what stands beside it where both are stated. */
const heads = (first: string, second: string) =>
  first === "" ? { title: second, subtitle: "" } : { title: first, subtitle: second };

type EntryOf<K extends Section["kind"]> = Extract<Section, { kind: K }>["entries"][number];
type Draft = Partial<Omit<OutlineEntry, "id">>;
type Drafts = { readonly [K in Section["kind"]]: (entry: EntryOf<K>, words: Words) => Draft };

const position = ({ role, organisation }: EntryOf<"experience">): Draft =>
  heads(role, organisation);

const drafts: Drafts = {
  summary: ({ text }) => ({ note: text }),
  experience: position,
  volunteering: position,
  education: ({ degree, field, institution, grade }, words) => ({
    ...heads([degree, field].filter((part) => part !== "").join(", "), institution),
    note: grade === "" ? [] : plainRuns(`${words.grade}: ${grade}`),
  }),
  projects: ({ name, role }) => heads(name, role),
  skills: ({ name, items }) => ({ title: name, items: items.filter((item) => item !== "") }),
  languages: ({ name, fluency }) => ({ title: name, items: fluency === "" ? [] : [fluency] }),
  certificates: ({ name, issuer }) => heads(name, issuer),
  publications: ({ name, publisher, summary }) => ({ ...heads(name, publisher), note: summary }),
  custom: ({ title, subtitle }) => heads(title, subtitle),
};

function entriesOf<K extends Section["kind"]>(
  kind: K,
  entries: readonly EntryOf<K>[],
  language: Locale,
): OutlineEntry[] {
  return entries.map((entry) => ({
    ...blank,
    id: entry.id,
    ...usual(entry, language),
    ...drafts[kind](entry, wordsOf[language]),
  }));
}

const isStated = (entry: OutlineEntry): boolean =>
  [entry.title, entry.subtitle, entry.place, entry.dates, entry.link?.text ?? ""].some(Boolean) ||
  [entry.note, entry.bullets, entry.items].some((list) => list.length > 0);

/** An address names itself where its host does: no `LinkedIn: linkedin.com/in/dana`. */
function labelled(label: string, address: string): string {
  const host = address.split("/")[0]?.toLowerCase() ?? "";
  if (address === "" || label === "") return address + label;
  return host.includes(label.toLowerCase()) ? address : `${label}: ${address}`;
}

/** What an outline is made of; of a portfolio without a mailbox and a telephone number. */
type Outlined = Pick<CvDocument, "language" | "sections"> & {
  readonly profile: Omit<CvDocument["profile"], "photo">;
};

function contactsOf({ profile }: Outlined): Contact[] {
  const { email, phone, place, links } = profile;
  const named = links.map(({ id, label, url }) => ({
    path: `profile.links.${id}`,
    text: labelled(label, linked(url)?.text ?? ""),
    href: linkTarget(url),
  }));
  const mailbox = linkTarget(email);
  return [
    { path: "profile.email", text: email, href: mailbox?.startsWith("mailto:") ? mailbox : null },
    { path: "profile.phone", text: phone, href: telephoneTarget(phone) },
    { path: "profile.place", text: place, href: null },
    ...named,
  ].filter(({ text }) => text !== "");
}

/** The outline of a document. */
export function outlineOf(document: Outlined): Outline {
  const { language, profile } = document;
  const sections = document.sections
    .filter(({ shown }) => shown)
    .map((section) => ({
      id: section.id,
      kind: section.kind,
      title: titleOf(section, language),
      entries: entriesOf(section.kind, section.entries, language).filter(isStated),
    }));
  return {
    language,
    name: profile.fullName,
    headline: profile.headline,
    contacts: contactsOf(document),
    sections: sections.filter(({ entries }) => entries.length > 0),
  };
}

function titleOf({ title, kind }: Section, language: Locale): string {
  return title !== "" || kind === "custom" ? title : wordsOf[language].titles[kind];
}
