import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Locale } from "../primitives/locale.ts";
import { Id, idsOf, plainSections, Profile, Project, section } from "./document.ts";
import { cvLimits, portfolioLimits as limit } from "./limits.ts";
import { accents } from "./page.ts";
import { line } from "./text.ts";

/** How a portfolio is set. Each has a light and a dark form, which follows the reader's system. */
export const themes = ["folio", "index", "atelier", "margin", "poster"] as const;
export type Theme = (typeof themes)[number];
/** The one that every plan with a portfolio includes. */
export const plainTheme = "folio" satisfies Theme;

/** A change of either loses nothing of what is written. */
export const Look = z.object({
  theme: z.enum(themes).default(plainTheme),
  accent: z.enum(accents).default("ink"),
});
export type Look = z.infer<typeof Look>;

/** A stored picture in its place. */
const Picture = z.object({
  id: Id,
  file: Uuid,
  /** What it shows, for who cannot see it; a page is published once every picture has it. */
  alt: line(limit.altCharsMax).default(""),
  caption: line(limit.captionCharsMax).default(""),
});
export type Picture = z.infer<typeof Picture>;

/** A project with its gallery. */
const ShownProject = Project.extend({
  pictures: z.array(Picture).max(limit.picturesMax).default([]),
});

const PortfolioSection = z.discriminatedUnion("kind", [
  ...plainSections,
  section("projects", ShownProject),
]);
export type PortfolioSection = z.infer<typeof PortfolioSection>;

/** Every picture that a document refers to, hidden sections included; the photo is not among them. */
export const picturesOf = (sections: readonly PortfolioSection[]): Picture[] =>
  sections.flatMap((shown) =>
    shown.kind === "projects" ? shown.entries.flatMap(({ pictures }) => pictures) : [],
  );

/** The form in which documents are stored now. */
const currentVersion = 1;

/**
 * The page of a portfolio in one language: the tree of a CV, whose sections are shown, hidden (`shown`) and ordered,
 * and whose projects have galleries. It has no mailbox and no telephone number: readers write through a form.
 */
export const PortfolioDocument = z
  .object({
    version: z.literal(currentVersion),
    language: Locale,
    look: Look,
    profile: Profile.omit({ email: true, phone: true }),
    sections: z.array(PortfolioSection).max(cvLimits.sectionsMax).default([]),
    /** The CV that readers may download as it is at that moment. */
    cvId: Uuid.nullable().default(null),
  })
  .refine(({ profile, sections }) => {
    const ids = [...idsOf({ profile, sections }), ...picturesOf(sections).map(({ id }) => id)];
    return new Set(ids).size === ids.length;
  }, "an id twice")
  .refine((document) => JSON.stringify(document).length <= cvLimits.documentCharsMax, "too long")
  .meta({ id: "PortfolioDocument" });
export type PortfolioDocument = z.infer<typeof PortfolioDocument>;
