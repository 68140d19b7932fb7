import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { cvLimits as limit } from "./limits.ts";
import { Page } from "./page.ts";
import { RichText } from "./rich-text.ts";
import { line } from "./text.ts";

/** Of a section, entry, bullet or link; stays the same for its life, so that edits can be merged by field. */
export const Id = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/);
const text = line(limit.lineCharsMax).default("");
/** As it was typed; whether it leads anywhere is asked of `linkTarget` when it is shown. */
const url = line(limit.urlCharsMax).default("");

/** A month `2024-03` or a year `2024`; empty when none is stated. */
const Month = z
  .string()
  .regex(/^(?:\d{4}(?:-(?:0[1-9]|1[0-2]))?)?$/)
  .refine((month) => month === "" || inYears(Number(month.slice(0, 4))), "a year out of range")
  .default("");
const End = z.union([z.literal("present"), Month]).default("");

function inYears(year: number): boolean {
  return year >= limit.yearMin && year <= limit.yearMax;
}

const Bullet = z.object({ id: Id, text: RichText });
const bullets = z.array(Bullet).max(limit.bulletsMax).default([]);
const period = { start: Month, end: End };

/** A position held, paid or not. */
const Position = z.object({
  id: Id,
  role: text,
  organisation: text,
  place: text,
  ...period,
  url,
  bullets,
});
const Education = z.object({
  id: Id,
  institution: text,
  degree: text,
  field: text,
  grade: text,
  place: text,
  ...period,
  url,
  bullets,
});
/** Something that was made. */
export const Project = z.object({ id: Id, name: text, role: text, ...period, url, bullets });
const Skills = z.object({
  id: Id,
  /** Of the group; empty when there is one group only. */
  name: text,
  items: z.array(line(limit.lineCharsMax)).max(limit.skillsMax).default([]),
});
const Language = z.object({ id: Id, name: text, fluency: text });
const Certificate = z.object({ id: Id, name: text, issuer: text, date: Month, url });
const Publication = z.object({
  id: Id,
  name: text,
  publisher: text,
  date: Month,
  url,
  summary: RichText.default([]),
});
const Custom = z.object({
  id: Id,
  title: text,
  subtitle: text,
  place: text,
  ...period,
  url,
  bullets,
});

/** A list of entries of one kind under a title. */
export const section = <K extends string, T extends z.ZodType>(kind: K, entry: T) =>
  z.object({
    id: Id,
    kind: z.literal(kind),
    /** Empty: the usual title in the language of the document. */
    title: text,
    shown: z.boolean().default(true),
    entries: z.array(entry).max(limit.entriesMax).default([]),
  });

/** All but projects, which a portfolio shows with pictures. */
export const plainSections = [
  section("summary", z.object({ id: Id, text: RichText })),
  section("experience", Position),
  section("education", Education),
  section("skills", Skills),
  section("languages", Language),
  section("certificates", Certificate),
  section("volunteering", Position),
  section("publications", Publication),
  section("custom", Custom),
] as const;

const Section = z.discriminatedUnion("kind", [...plainSections, section("projects", Project)]);
export type Section = z.infer<typeof Section>;

/** Who a document is about. */
export const Profile = z.object({
  fullName: text,
  headline: text,
  email: text,
  phone: text,
  place: text,
  links: z
    .array(z.object({ id: Id, label: text, url }))
    .max(limit.profileLinksMax)
    .default([]),
  /** A stored picture, and what it shows for who cannot see it. */
  photo: z.object({ file: Uuid, alt: text }).nullable().default(null),
});

type Parts = {
  readonly profile: Pick<z.infer<typeof Profile>, "links">;
  readonly sections: readonly Section[];
};

/** Ids of everything in a document; none stands twice. */
export const idsOf = ({ sections, profile }: Parts): string[] => [
  ...profile.links.map(({ id }) => id),
  ...sections.flatMap(({ id, entries }) => [id, ...entries.flatMap(entryIds)]),
];

function entryIds(entry: Section["entries"][number]): string[] {
  return [entry.id, ...("bullets" in entry ? entry.bullets.map(({ id }) => id) : [])];
}

/** The form in which documents are stored now. `migrate.ts` reads earlier ones. */
const currentVersion = 1;

/** A CV in one language. The order of sections, entries and bullets is that of the page. */
export const CvDocument = z
  .object({
    version: z.literal(currentVersion),
    language: Locale,
    /** The CV of the same person in the other language. */
    otherLanguage: Uuid.nullable().default(null),
    page: Page,
    profile: Profile,
    sections: z.array(Section).max(limit.sectionsMax).default([]),
  })
  .refine((document) => new Set(idsOf(document)).size === idsOf(document).length, "an id twice")
  .refine((document) => JSON.stringify(document).length <= limit.documentCharsMax, "too long")
  .meta({ id: "CvDocument" });
export type CvDocument = z.infer<typeof CvDocument>;
