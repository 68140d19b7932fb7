import type { CvDocument, Section } from "@pro-talent/schemas/studio/document";
import { linkTarget } from "@pro-talent/schemas/studio/link";
import { plainOf, type RichText } from "@pro-talent/schemas/studio/rich-text";

type EntryOf<K extends Section["kind"]> = Extract<Section, { kind: K }>["entries"][number];

/** What is empty is left out, as JSON Resume asks for. */
function stated(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isStated = (value: unknown): boolean =>
    value !== "" && value !== null && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isStated(value)));
}

/** JSON Resume has no word for what still goes on: an end that is left out. */
const dates = ({ start, end }: { readonly start: string; readonly end: string }) => ({
  startDate: start,
  endDate: end === "present" ? "" : end,
});
const highlights = (bullets: readonly { readonly text: RichText }[]): string[] =>
  bullets.map(({ text }) => plainOf(text)).filter((text) => text !== "");
const urlOf = (text: string): string => linkTarget(text) ?? "";

const position = (entry: EntryOf<"experience">, organisation: string) =>
  stated({
    [organisation]: entry.organisation,
    position: entry.role,
    location: organisation === "name" ? entry.place : "",
    url: urlOf(entry.url),
    ...dates(entry),
    highlights: highlights(entry.bullets),
  });

type Sections = {
  readonly [K in Exclude<Section["kind"], "summary" | "custom">]: (entry: EntryOf<K>) => unknown;
};
const kinds: Sections = {
  experience: (entry) => position(entry, "name"),
  volunteering: (entry) => position(entry, "organization"),
  education: (entry) =>
    stated({
      institution: entry.institution,
      area: entry.field,
      studyType: entry.degree,
      score: entry.grade,
      url: urlOf(entry.url),
      ...dates(entry),
      courses: highlights(entry.bullets),
    }),
  projects: (entry) =>
    stated({
      name: entry.name,
      roles: entry.role === "" ? [] : [entry.role],
      url: urlOf(entry.url),
      ...dates(entry),
      highlights: highlights(entry.bullets),
    }),
  skills: ({ name, items }) => stated({ name, keywords: items.filter((item) => item !== "") }),
  languages: ({ name, fluency }) => stated({ language: name, fluency }),
  certificates: ({ name, issuer, date, url }) => stated({ name, issuer, date, url: urlOf(url) }),
  publications: ({ name, publisher, date, url, summary }) =>
    stated({ name, publisher, releaseDate: date, url: urlOf(url), summary: plainOf(summary) }),
};

const names = {
  experience: "work",
  volunteering: "volunteer",
  education: "education",
  projects: "projects",
  skills: "skills",
  languages: "languages",
  certificates: "certificates",
  publications: "publications",
} as const;

function entriesOf<K extends keyof Sections>(kind: K, entries: readonly EntryOf<K>[]): unknown[] {
  return entries.map((entry) => kinds[kind](entry));
}

/**
 * A CV in the form of JSON Resume 1.2.1. The whole document is under `meta`, so that what the format has no
 * place for (own sections, bold, months of the page) is not lost when it is read again.
 */
export function jsonResumeOf(document: CvDocument): Record<string, unknown> {
  const { profile, sections, language } = document;
  const summary = sections
    .flatMap((section) => (section.kind === "summary" ? section.entries : []))
    .map(({ text }) => plainOf(text))
    .join("\n\n");
  const lists = sections.flatMap((section) =>
    section.kind === "summary" || section.kind === "custom"
      ? []
      : [[names[section.kind], entriesOf(section.kind, section.entries)] as const],
  );
  return {
    $schema: "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json",
    basics: stated({
      name: profile.fullName,
      label: profile.headline,
      email: profile.email,
      phone: profile.phone,
      summary,
      location: profile.place === "" ? null : { address: profile.place },
      profiles: profile.links
        .filter(({ url }) => url !== "")
        .map(({ label, url }) => stated({ network: label, url: urlOf(url) })),
    }),
    ...stated(Object.fromEntries(lists)),
    meta: { version: "v1.0.0", language, document },
  };
}
