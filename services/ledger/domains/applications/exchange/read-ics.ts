import type { Stage } from "@pro-talent/schemas/applications/application";
import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { Day, dayIn } from "@pro-talent/schemas/primitives/calendar";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { roleAndCompany } from "../role-and-company.ts";
import { type Findings, type Imported, openFindings } from "./findings.ts";
import { reminderId } from "./write-ics.ts";

/** The first value of each property, by its name. */
type Event = ReadonlyMap<string, string>;

/** With the text before the first, and some that are none of ours. */
const eventsMax = limit.applicationsMax * 2;
const lineCharsMax = 20_000;
const contentLine = /^(?<name>[A-Z-]+)(?:;[^:;"]*(?:"[^"]*"[^:;"]*)*)*:(?<value>.*)$/iu;
const interview = /interview|phone screen|screening call|ראיון|שיחת סינון/iu;

export const isCalendar = (text: string): boolean => /^\s*BEGIN:VCALENDAR\b/iu.test(text);

/**
 * Reads the events of a calendar (RFC 5545) into applications: role and company from the summary, the deadline
 * from the start. An interview is no deadline; its application is in the first stage of interviews. Lines
 * that are broken are left out, and an event without an end ends where the next begins.
 * @param text unfolded, as `unfold` makes it
 */
export function readIcs(text: string, stages: readonly Stage[]): Imported {
  const [head = "", ...parts] = text.split(/^BEGIN:VEVENT[ \t]*$/imu, eventsMax);
  const zone = /^X-WR-TIMEZONE:(?<zone>.*)$/imu.exec(head)?.groups?.["zone"]?.trim() ?? "";
  const findings = openFindings();
  const reading = {
    findings,
    zone: isZone(zone) ? zone : "UTC",
    stageId: stages.find(({ kind }) => kind === "interviewing")?.stageId,
  };
  const events = parts.map(eventOf).filter(isStated);
  const applications = events
    .slice(0, limit.applicationsMax)
    .flatMap((event, index) => applicationOf(event, index + 1, reading));
  const tooMany = events[limit.applicationsMax];
  if (tooMany !== undefined) {
    const at = { row: limit.applicationsMax + 1, column: "SUMMARY" };
    findings.add(at, "no-place", valueOf(tooMany, "SUMMARY"));
  }
  return { applications, findings: findings.findings };
}

/** What is cancelled, or a reminder that we exported, is no application. */
const isStated = (event: Event): boolean =>
  !valueOf(event, "UID").startsWith(reminderId) &&
  valueOf(event, "STATUS").toUpperCase() !== "CANCELLED";

type Reading = {
  readonly findings: Findings;
  readonly zone: string;
  /** Of interviews. */
  readonly stageId: string | undefined;
};

function applicationOf(event: Event, row: number, reading: Reading): Imported["applications"] {
  const { findings, zone, stageId } = reading;
  const at = (column: string) => ({ row, column });
  const summary = valueOf(event, "SUMMARY");
  const known = roleAndCompany(summary);
  // Without a company the whole title stands for it, to be reviewed.
  const isKnown = known.company !== "";
  if (!isKnown) findings.add(at("SUMMARY"), "no-company", summary);
  const company = findings.line(isKnown ? known.company : known.role, at("SUMMARY"));
  if (company === "") return [];
  const isInterview = interview.test(summary);
  const details = {
    company,
    role: isKnown ? findings.line(known.role, at("SUMMARY")) : "",
    place: placeOf(event, row, findings),
    jobUrl: findings.line(valueOf(event, "URL"), at("URL"), limit.urlCharsMax),
    deadline: isInterview ? null : startOf(event, zone, row, findings),
  };
  for (const name of isInterview ? ["DESCRIPTION", "DTSTART"] : ["DESCRIPTION"]) {
    const text = valueOf(event, name);
    if (text !== "") findings.add(at(name), "no-place", text);
  }
  return [{ details, ...(isInterview && stageId !== undefined && { stageId }) }];
}

/** Joins the lines that were folded. Some programs fold within a character: before the text is decoded. */
export const unfold = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString("latin1").replaceAll(/\r?\n[ \t]/gu, ""), "latin1");

/** Properties end where a part of the event begins, such as an alarm. */
function eventOf(text: string): Event {
  const [properties = ""] = text.split(/^(?:BEGIN|END):/imu, 1);
  const event = new Map<string, string>();
  for (const line of properties.split(/\r\n|\n|\r/u)) {
    const { name = "", value = "" } = contentLine.exec(line.slice(0, lineCharsMax))?.groups ?? {};
    const key = name.toUpperCase();
    if (!event.has(key)) event.set(key, value);
  }
  return event;
}

/** A text without its escapes (RFC 5545 §3.3.11). */
const valueOf = (event: Event, name: string): string =>
  (event.get(name) ?? "")
    .replaceAll(/\\([nN,;\\])/gu, (_escape, sign: string) => (/n/iu.test(sign) ? " " : sign))
    .trim();

function placeOf(event: Event, row: number, findings: Findings): string {
  const place = valueOf(event, "LOCATION");
  const at = { row, column: "LOCATION" };
  if (!/^https?:/iu.test(place)) return findings.line(place, at);
  findings.add(at, "no-place", place);
  return "";
}

/** The day of the start: as it is written, and of UTC in the calendar's zone. */
function startOf(event: Event, zone: string, row: number, findings: Findings): Day | null {
  const value = valueOf(event, "DTSTART");
  const written = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/u.exec(value);
  const [, year, month, date, hours, minutes, seconds, utc] = written ?? [];
  const day = Day.safeParse(`${year}-${month}-${date}`).data;
  const ms = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  if (day !== undefined && utc === undefined) return day;
  if (day !== undefined && !Number.isNaN(ms)) return dayIn(instantFromMs(ms), zone);
  if (value !== "") findings.add({ row, column: "DTSTART" }, "not-a-date", value);
  return null;
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
