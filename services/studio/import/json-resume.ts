import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import { readCvDocument } from "@pro-talent/schemas/studio/migrate";
import { z } from "zod";

import { type Finding, openFindings, type Read } from "./findings.ts";

type Source = Readonly<Record<string, unknown>>;
const Source = z.record(z.string(), z.unknown());
const Own = z.object({ meta: z.object({ document: z.unknown() }) });

/** A document that was read from elsewhere, and what could not be taken over as it was. */
export type Imported = { readonly document: CvDocument; readonly findings: readonly Finding[] };

/**
 * Reads JSON Resume of any version, leniently: what is of another type is left out, what is too long is cut,
 * what there is no place for is dropped, and each is a finding with its path. A file of our own gives the
 * document that it was made from.
 * @throws {z.ZodError} when it is no JSON object
 */
export function importJsonResume(value: unknown, language: Locale): Imported {
  const own = ownDocument(value);
  if (own !== undefined) return { document: own, findings: [] };
  const { findings, ...read } = openFindings();
  const resume = Source.parse(value);
  const basics = read.object(resume["basics"], "basics");
  for (const name of Object.keys(resume).filter((key) => !known.has(key)))
    read.dropped(name, "no-place");
  const document = readCvDocument({
    version: 1,
    language,
    page: {},
    profile: profileOf(read, basics),
    sections: sectionsOf(read, resume, basics).filter(({ entries }) => entries.length > 0),
  });
  return { document, findings: findings() };
}

type Entry = { readonly id: string; readonly of: Source; readonly at: string };

const known = new Set(
  "$schema meta basics work education projects skills languages certificates volunteer publications".split(
    " ",
  ),
);

function ownDocument(value: unknown): CvDocument | undefined {
  const own = Own.safeParse(value);
  if (!own.success) return undefined;
  try {
    return readCvDocument(own.data.meta.document);
  } catch {
    // Changed by another program: its usual fields still can be read.
    return undefined;
  }
}

function sectionsOf(read: Read, resume: Source, basics: Source) {
  const list = (name: string): Entry[] => entriesOf(read, resume[name], name);
  return [
    sectionOf("summary", summaryOf(read, basics)),
    sectionOf(
      "experience",
      list("work").map((entry) => positionOf(read, entry, "name")),
    ),
    sectionOf(
      "education",
      list("education").map((entry) => educationOf(read, entry)),
    ),
    sectionOf(
      "projects",
      list("projects").map((entry) => projectOf(read, entry)),
    ),
    sectionOf(
      "skills",
      list("skills").map(({ id, of, at }) => ({
        id,
        name: read.line(of["name"], `${at}.name`),
        items: read.lines(of["keywords"], `${at}.keywords`),
      })),
    ),
    sectionOf(
      "languages",
      list("languages").map(({ id, of, at }) => ({
        id,
        name: read.line(of["language"], `${at}.language`),
        fluency: read.line(of["fluency"], `${at}.fluency`),
      })),
    ),
    sectionOf(
      "certificates",
      list("certificates").map(({ id, of, at }) => ({
        id,
        name: read.line(of["name"], `${at}.name`),
        issuer: read.line(of["issuer"], `${at}.issuer`),
        date: read.month(of["date"], `${at}.date`),
        url: read.line(of["url"], `${at}.url`),
      })),
    ),
    sectionOf(
      "volunteering",
      list("volunteer").map((entry) => positionOf(read, entry, "organization")),
    ),
    sectionOf(
      "publications",
      list("publications").map(({ id, of, at }) => ({
        id,
        name: read.line(of["name"], `${at}.name`),
        publisher: read.line(of["publisher"], `${at}.publisher`),
        date: read.month(of["releaseDate"], `${at}.releaseDate`),
        url: read.line(of["url"], `${at}.url`),
        summary: read.paragraph(of["summary"], `${at}.summary`),
      })),
    ),
  ];
}

const sectionOf = (kind: string, entries: object[]) => ({ id: kind, kind, entries });

function entriesOf(read: Read, value: unknown, name: string): Entry[] {
  return read.list(value, name).map((item, index) => ({
    id: `${name}-${index}`,
    of: read.object(item, `${name}.${index}`),
    at: `${name}.${index}`,
  }));
}

function summaryOf(read: Read, basics: Source): object[] {
  const text = read.paragraph(basics["summary"], "basics.summary");
  return text.length === 0 ? [] : [{ id: "summary-0", text }];
}

function profileOf(read: Read, basics: Source) {
  const location = read.object(basics["location"], "basics.location");
  const place = ["address", "city", "region", "countryCode"]
    .map((part) => read.line(location[part], `basics.location.${part}`))
    .filter((part) => part !== "");
  const profiles = read.list(basics["profiles"], "basics.profiles").map((item, index) => {
    const at = `basics.profiles.${index}`;
    const profile = read.object(item, at);
    return {
      id: `profile-${index}`,
      label: read.line(profile["network"], `${at}.network`),
      url: read.line(profile["url"], `${at}.url`),
    };
  });
  const url = read.line(basics["url"], "basics.url");
  const links = url === "" ? profiles : [{ id: "website", label: "", url }, ...profiles];
  if (basics["image"] !== undefined && basics["image"] !== "")
    read.dropped("basics.image", "no-place", basics["image"]);
  return {
    fullName: read.line(basics["name"], "basics.name"),
    headline: read.line(basics["label"], "basics.label"),
    email: read.line(basics["email"], "basics.email"),
    phone: read.line(basics["phone"], "basics.phone"),
    place: read.shortened(place.join(", "), "basics.location"),
    links: read.atMost(links, "profileLinksMax", "basics.profiles"),
  };
}

function bulletsOf(read: Read, { id, of, at }: Entry, list: string) {
  const summary = read.paragraph(of["summary"] ?? of["description"], `${at}.summary`);
  const highlights = read.list(of[list], `${at}.${list}`);
  const texts = highlights.map((item, index) => read.paragraph(item, `${at}.${list}.${index}`));
  const all = [summary, ...texts].filter((text) => text.length > 0);
  return read
    .atMost(all, "bulletsMax", `${at}.${list}`)
    .map((text, index) => ({ id: `${id}-${index}`, text }));
}

const datesOf = (read: Read, { of, at }: Entry) => ({
  start: read.month(of["startDate"], `${at}.startDate`),
  end:
    of["endDate"] === undefined && of["startDate"] !== undefined
      ? "present"
      : read.month(of["endDate"], `${at}.endDate`),
});

function positionOf(read: Read, entry: Entry, organisation: string) {
  const { id, of, at } = entry;
  return {
    id,
    role: read.line(of["position"], `${at}.position`),
    organisation: read.line(of[organisation] ?? of["company"], `${at}.${organisation}`),
    place: read.line(of["location"], `${at}.location`),
    url: read.line(of["url"] ?? of["website"], `${at}.url`),
    ...datesOf(read, entry),
    bullets: bulletsOf(read, entry, "highlights"),
  };
}

function educationOf(read: Read, entry: Entry) {
  const { id, of, at } = entry;
  return {
    id,
    institution: read.line(of["institution"], `${at}.institution`),
    degree: read.line(of["studyType"], `${at}.studyType`),
    field: read.line(of["area"], `${at}.area`),
    grade: read.line(of["score"] ?? of["gpa"], `${at}.score`),
    url: read.line(of["url"], `${at}.url`),
    ...datesOf(read, entry),
    bullets: bulletsOf(read, entry, "courses"),
  };
}

function projectOf(read: Read, entry: Entry) {
  const { id, of, at } = entry;
  return {
    id,
    name: read.line(of["name"], `${at}.name`),
    role: read.shortened(read.lines(of["roles"], `${at}.roles`).join(", "), `${at}.roles`),
    url: read.line(of["url"], `${at}.url`),
    ...datesOf(read, entry),
    bullets: bulletsOf(read, entry, "highlights"),
  };
}
