import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { linkTarget, telephoneTarget } from "@pro-talent/schemas/studio/link";
import { plainOf } from "@pro-talent/schemas/studio/runs";

import type { EditedDocument } from "./document-at.ts";
import { type Entry, lineOf } from "./part-words.ts";

/** What may be worth a look; each has a text. */
export type CheckCode =
  | "noName"
  | "noContact"
  | "email"
  | "phone"
  | "url"
  | "noStart"
  | "noEnd"
  | "endFirst"
  | "longBullet"
  | "longSummary"
  | "emptySection"
  /** Of a picture, for readers who cannot see it. */
  | "noAlt";
export type Finding = { path: string; code: CheckCode };

/** About two lines of a page. */
const bulletChars = 220;
/** About five lines. */
const summaryChars = 550;

type Section = EditedDocument["sections"][number];

const emptyText = (text: string): boolean => text === "";

/** Whether anything is stated but the id. */
const isEmpty = (entry: Entry): boolean =>
  Object.entries(entry).every(([name, value]) => {
    if (name === "id") return true;
    return typeof value === "string" ? value === "" : Array.isArray(value) && value.length === 0;
  });

/** A year covers its months: the end of 2020 is not before June 2020. */
const isBefore = (end: string, start: string): boolean =>
  end !== "present" &&
  (end.length === start.length ? end < start : end.slice(0, 4) < start.slice(0, 4));

function periodFindings(entry: Entry, path: string): Finding[] {
  if (!("start" in entry) || isEmpty(entry)) return [];
  const { start, end } = entry;
  if (start !== "" && end !== "" && isBefore(end, start))
    return [{ path: `${path}/end`, code: "endFirst" }];
  if (start === "" && end !== "") return [{ path: `${path}/start`, code: "noStart" }];
  return start !== "" && end === "" ? [{ path: `${path}/end`, code: "noEnd" }] : [];
}

/** In these kinds an entry without any dates raises questions. */
const dated: readonly Section["kind"][] = ["experience", "education", "volunteering"];

function entryFindings(kind: Section["kind"], entry: Entry, path: string): Finding[] {
  const found = periodFindings(entry, path);
  const url = lineOf(entry, "url");
  if (url !== "" && linkTarget(url) === null) found.push({ path: `${path}/url`, code: "url" });
  if (dated.includes(kind) && "start" in entry && entry.start === "" && entry.end === "")
    if (!isEmpty(entry)) found.push({ path: `${path}/start`, code: "noStart" });
  if ("bullets" in entry)
    for (const { id, text } of entry.bullets)
      if (plainOf(text).length > bulletChars)
        found.push({ path: `${path}/bullets/${id}/text`, code: "longBullet" });
  if (kind === "summary" && "text" in entry && plainOf(entry.text).length > summaryChars)
    found.push({ path: `${path}/text`, code: "longSummary" });
  return found;
}

function sectionFindings(section: Section): Finding[] {
  if (!section.shown) return [];
  const path = `sections/${section.id}`;
  const entries: readonly Entry[] = section.entries;
  if (entries.every(isEmpty)) return [{ path, code: "emptySection" }];
  return entries.flatMap((entry) =>
    entryFindings(section.kind, entry, `${path}/entries/${entry.id}`),
  );
}

function contactFindings(email: string, phone: string): Finding[] {
  const found: Finding[] = [];
  if (email !== "" && !looksLikeEmail(email)) found.push({ path: "profile/email", code: "email" });
  if (phone !== "" && telephoneTarget(phone) === null)
    found.push({ path: "profile/phone", code: "phone" });
  if ([email, phone].every(emptyText)) found.push({ path: "profile/email", code: "noContact" });
  return found;
}

function profileFindings({ fullName, email, phone, links }: EditedDocument["profile"]): Finding[] {
  const found: Finding[] = [];
  if (fullName === "") found.push({ path: "profile/fullName", code: "noName" });
  if (email !== undefined && phone !== undefined) found.push(...contactFindings(email, phone));
  for (const { id, url } of links)
    if (url !== "" && linkTarget(url) === null)
      found.push({ path: `profile/links/${id}/url`, code: "url" });
  return found;
}

/** What a reader may stumble over, in the order of the page. It never prevents anything. */
export const findingsIn = ({ profile, sections }: EditedDocument): Finding[] => [
  ...profileFindings(profile),
  ...sections.flatMap(sectionFindings),
];
