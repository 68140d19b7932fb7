import type { Section } from "@pro-talent/schemas/studio/document";
import type { RichText } from "@pro-talent/schemas/studio/rich-text";

import { entriesIn, type EntryLines, entryPerLine } from "./entries.ts";
import type { Read } from "./findings.ts";
import { headOf, type Head, roleFirst, studiesFirst, studiesOf } from "./heads.ts";
import { type Line, space, textOf } from "./lines.ts";
import { languagesIn, skillsIn } from "./lists.ts";

/** The lines under a title. */
export type TitledLines = {
  readonly kind: Section["kind"];
  readonly title: string;
  readonly lines: readonly Line[];
};

type Context = { readonly read: Read; readonly id: string };
/** An entry that is read, with the path under which findings name it. */
type EntryContext = { readonly read: Read; readonly id: string; readonly at: string };

const spansOf = (line: Line) =>
  line.parts.flatMap((part, index) => (index === 0 ? part : [space, ...part]));

type Bullet = { readonly id: string; readonly text: RichText };

function bulletsOf({ read, id, at }: EntryContext, body: readonly Line[]): Bullet[] {
  const texts = body
    .map((line) => read.rich(spansOf(line), `${at}.bullets`))
    .filter((text) => text.length > 0);
  for (const line of body.slice(read.atMost(texts, "bulletsMax", `${at}.bullets`).length))
    read.dropped(line.path, "no-place", textOf(line));
  return read
    .atMost(texts, "bulletsMax", `${at}.bullets`)
    .map((text, index) => ({ id: `${id}-b${index}`, text }));
}

/** Pieces that the kind of entry has no field for. */
function leave({ read, at }: EntryContext, pieces: readonly string[]): void {
  for (const piece of pieces) read.dropped(at, "no-place", piece);
}

function placeOf({ read, at }: EntryContext, pieces: readonly string[]): string {
  const place = pieces.join(", ");
  // More than city, region and country: part of it may be the organisation.
  if (pieces.length > 3) read.dropped(`${at}.place`, "uncertain", place);
  return read.shortened(place, `${at}.place`);
}

function position(context: EntryContext, entry: EntryLines, head: Head) {
  const { read, id, at } = context;
  const { title, pieces, url } = roleFirst(head);
  const [organisation = "", ...place] = pieces;
  return {
    id,
    role: read.line(title, `${at}.role`),
    organisation: read.line(organisation, `${at}.organisation`),
    place: placeOf(context, place),
    url: read.address(url, `${at}.url`),
    ...entry.period,
    bullets: bulletsOf(context, entry.body),
  };
}

const grade = /^(?:grade|gpa|ציון|ממוצע|ציון ממוצע)\s*:?\s*(?=\d|[A-F][+-]?$)(.+)$/iu;

function education(context: EntryContext, entry: EntryLines, { pieces: all, ...head }: Head) {
  const { read, id, at } = context;
  const stated = (text: string): string | undefined => grade.exec(text)?.[1];
  const graded = [...all, ...entry.body.map(textOf)].map(stated).find((text) => text !== undefined);
  const { title, pieces, url } = studiesFirst({
    ...head,
    pieces: all.filter((piece) => stated(piece) === undefined),
  });
  const { degree, field } = studiesOf(title);
  const [institution = "", ...place] = pieces;
  return {
    id,
    institution: read.line(institution, `${at}.institution`),
    degree: read.line(degree, `${at}.degree`),
    field: read.line(field, `${at}.field`),
    grade: read.line(graded ?? "", `${at}.grade`),
    place: placeOf(context, place),
    url: read.address(url, `${at}.url`),
    ...entry.period,
    bullets: bulletsOf(
      context,
      entry.body.filter((line) => stated(textOf(line)) === undefined),
    ),
  };
}

function project(context: EntryContext, entry: EntryLines, { title, pieces, url }: Head) {
  const { read, id, at } = context;
  const [role = "", ...others] = pieces;
  leave(context, others);
  return {
    id,
    name: read.line(title, `${at}.name`),
    role: read.line(role, `${at}.role`),
    url: read.address(url, `${at}.url`),
    ...entry.period,
    bullets: bulletsOf(context, entry.body),
  };
}

/** The only date of an entry, or its last one. */
function dateOf({ period: { start, end } }: EntryLines): string {
  return end === "" || end === "present" ? start : end;
}

function certificate(context: EntryContext, entry: EntryLines, { title, pieces, url }: Head) {
  const { read, id, at } = context;
  const [issuer = "", ...others] = pieces;
  leave(context, [...others, ...entry.body.map(textOf)]);
  return {
    id,
    name: read.line(title, `${at}.name`),
    issuer: read.line(issuer, `${at}.issuer`),
    date: dateOf(entry),
    url: read.address(url, `${at}.url`),
  };
}

function publication(context: EntryContext, entry: EntryLines, { title, pieces, url }: Head) {
  const { read, id, at } = context;
  const summary = entry.body.flatMap((line, index) => [
    ...(index === 0 ? [] : [space]),
    ...spansOf(line),
  ]);
  return {
    id,
    name: read.line(title, `${at}.name`),
    publisher: read.line(pieces.join(", "), `${at}.publisher`),
    date: dateOf(entry),
    url: read.address(url, `${at}.url`),
    summary: read.rich(summary, `${at}.summary`),
  };
}

function custom(context: EntryContext, entry: EntryLines, { title, pieces, url }: Head) {
  const { read, id, at } = context;
  const [subtitle = "", ...place] = pieces;
  return {
    id,
    title: read.line(title, `${at}.title`),
    subtitle: read.line(subtitle, `${at}.subtitle`),
    place: placeOf(context, place),
    url: read.address(url, `${at}.url`),
    ...entry.period,
    bullets: bulletsOf(context, entry.body),
  };
}

const builders = {
  experience: position,
  volunteering: position,
  education,
  projects: project,
  certificates: certificate,
  publications: publication,
  custom,
} as const;

function built(
  kind: keyof typeof builders,
  { read, id }: Context,
  lines: readonly Line[],
): object[] {
  const isList = kind === "certificates" || kind === "publications";
  const isPlain = lines.every(({ isBullet, rank }) => isBullet || rank === 0);
  const divided = isList && isPlain ? entryPerLine(lines) : entriesIn(lines);
  return read.atMost(divided, "entriesMax", `sections.${id}`).map((entry, index) => {
    const context = { read, id: `${id}-e${index}`, at: `sections.${id}.${id}-e${index}` };
    const head = headOf(entry);
    if (head.isGuess) read.dropped(context.at, "uncertain", entry.heads.map(textOf).join(" "));
    return builders[kind](context, entry, head);
  });
}

/** The entries of a section, from its lines. */
export function sectionEntries(
  kind: Section["kind"],
  context: Context,
  lines: readonly Line[],
): object[] {
  const { read, id } = context;
  const at = `sections.${id}`;
  if (kind === "summary")
    return read
      .atMost(lines, "entriesMax", at)
      .map((line, index) => ({ id: `${id}-e${index}`, text: read.rich(spansOf(line), at) }))
      .filter(({ text }) => text.length > 0);
  if (kind === "skills")
    return read.atMost(skillsIn(lines), "entriesMax", at).map(({ name, items }, index) => ({
      id: `${id}-e${index}`,
      name: read.line(name, at),
      items: read.atMost(items, "skillsMax", at).map((item) => read.line(item, at)),
    }));
  if (kind === "languages")
    return read.atMost(languagesIn(lines), "entriesMax", at).map(({ name, items }, index) => ({
      id: `${id}-e${index}`,
      name: read.line(name, at),
      fluency: read.line(items.join(", "), at),
    }));
  return built(kind, context, lines);
}
