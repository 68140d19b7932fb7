import {
  type Application,
  ApplicationDetails,
  Reminder,
  type Stage,
} from "@pro-talent/schemas/applications/application";
import { NewApplication } from "@pro-talent/schemas/applications/calls";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, it } from "vitest";

import { decodeText } from "../decode-text.ts";
import { isCalendar, readIcs, unfold } from "./read-ics.ts";
import { writeIcs } from "./write-ics.ts";

const id = "0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e6f";
const other = "0190d7a4-3c1e-7b6a-9d2f-1a2b3c4d5e70";
const at = instantFromMs(Date.parse("2026-11-26T10:00:00Z"));
const stages: Stage[] = [
  { stageId: id, kind: "saved", name: "" },
  { stageId: other, kind: "interviewing", name: "" },
];

const held = (details: object, archived = false): Application => ({
  applicationId: id,
  details: ApplicationDetails.parse({ company: "Acme", ...details }),
  sent: { linkIds: [], cv: null },
  stageId: id,
  rank: "a",
  stageSince: at,
  createdAt: at,
  changedAt: at,
  archivedAt: archived ? at : null,
  remindAt: null,
  notes: 0,
  files: 0,
});
const reminder = (text: string, status: Reminder["status"] = "planned"): Reminder => ({
  ...Reminder.parse({
    reminderId: other,
    applicationId: id,
    at: "2026-12-01T09:00",
    zone: "Asia/Jerusalem",
    text: "any",
    byMail: false,
    dueAt: "2026-12-01T07:00:00.000Z",
    status,
  }),
  text,
});
const written = (
  application: Application,
  reminders: Reminder[] = [],
  language: "en" | "he" = "en",
) => writeIcs([application], reminders, { language, at, origin: "https://talent.example" });
/** What another program reads in the file. */
const eventsIn = (file: string) =>
  ICAL.Component.fromString(file)
    .getAllSubcomponents("vevent")
    .map((component) => ({ component, event: new ICAL.Event(component) }));

const imported = (file: string | Buffer) => {
  const read = readIcs(decodeText(unfold(Buffer.from(file))), stages);
  const applications = read.applications.map((one) => NewApplication.parse(one));
  return { ...read, applications };
};
const calendarOf = (...events: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...events, "END:VCALENDAR", ""].join("\r\n");
const event = (...lines: string[]): string => ["BEGIN:VEVENT", ...lines, "END:VEVENT"].join("\r\n");

describe("an exported calendar", () => {
  it("has deadlines as whole days and reminders as instants with an alarm", () => {
    const file = written(
      held({ role: "Developer", deadline: "2026-12-31", place: "Haifa; Israel" }),
      [reminder("Call, then write\nagain")],
    );
    const [deadline, reminded] = eventsIn(file);
    expect(deadline?.event).toMatchObject({
      uid: `deadline-${id}@talent.example`,
      summary: "Deadline: Developer – Acme",
      location: "Haifa; Israel",
    });
    expect(deadline?.event.startDate.toString()).toBe("2026-12-31");
    expect(file).toContain("DTSTART;VALUE=DATE:20261231\r\n");
    expect(reminded?.event).toMatchObject({
      uid: `reminder-${other}@talent.example`,
      summary: "Call, then write again · Developer – Acme",
    });
    expect(reminded?.event.startDate.toJSDate().toISOString()).toBe("2026-12-01T07:00:00.000Z");
    const alarm = reminded?.component.getFirstSubcomponent("valarm");
    expect(alarm?.getFirstPropertyValue("action")).toBe("DISPLAY");
    expect(String(alarm?.getFirstPropertyValue("trigger"))).toMatch(/^-?PT0S$/u);
  });

  it("keeps the ids of its entries from export to export, in either language", () => {
    const ids = (language: "en" | "he", details: object) =>
      eventsIn(
        written(held({ deadline: "2026-12-31", ...details }), [reminder("a")], language),
      ).map((one) => one.event.uid);
    expect(ids("en", {})).toEqual(ids("he", { role: "Other", deadline: "2027-01-01" }));
  });

  it("leaves out deadlines of archived applications, and reminders that are done", () => {
    expect(
      eventsIn(written(held({ deadline: "2026-12-31" }, true), [reminder("a", "done")])),
    ).toEqual([]);
    expect(eventsIn(written(held({})))).toEqual([]);
  });

  it("folds lines at 75 octets, also in Hebrew, and lets no text become a line of its own", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 300 }),
      fc.constantFrom(
        "תפקיד מנהל.ת פיתוח תוכנה ".repeat(8),
        "😀".repeat(60),
        "a\r\nEND:VCALENDAR\r\nBEGIN:VEVENT",
        "a\rb",
        'x;y,z\\n:"',
      ),
    );
    fc.assert(
      fc.property(text, text, (company, note) => {
        const details = ApplicationDetails.safeParse({ company, deadline: "2026-12-31" });
        fc.pre(details.success);
        const file = written(held(details.data), [reminder(note)], "he");
        const lines = file.split("\r\n");
        expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
        expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/u);
        const [deadline, reminded] = eventsIn(file);
        expect(deadline?.event.summary).toBe(`מועד אחרון: ${details.data.company}`);
        expect(reminded?.event.summary).toContain(details.data.company);
        expect(eventsIn(file)).toHaveLength(2);
      }),
    );
  });

  it("is read again: deadlines as applications, reminders as none", () => {
    for (const language of ["en", "he"] as const) {
      const application = held({ role: "מפתחת תוכנה", company: "אקמי", deadline: "2026-12-31" });
      const { applications, findings } = imported(written(application, [reminder("a")], language));
      expect(applications.map(({ details }) => details)).toMatchObject([
        { company: "אקמי", role: "מפתחת תוכנה", deadline: "2026-12-31" },
      ]);
      expect(findings).toEqual([]);
    }
  });
});

describe("a calendar of another program", () => {
  it("has roles and companies in its summaries, and deadlines in its starts", () => {
    const { applications, findings } = imported(
      calendarOf(
        "X-WR-TIMEZONE:Asia/Jerusalem",
        event(
          "SUMMARY:Apply by: Developer at Acme\\, Inc.",
          "DTSTART;VALUE=DATE:20261231",
          "LOCATION:Haifa",
          "URL:https://acme.example/1",
        ),
        event(
          "SUMMARY;LANGUAGE=he:מעצבת בחברת אקמי",
          'DTSTART;TZID="America/New_York:x":20261230T235900',
        ),
        event("summary:Analyst - Wix", "dtstart:20261230T230000Z"),
      ),
    );
    expect(applications.map(({ details }) => details)).toMatchObject([
      {
        company: "Acme, Inc.",
        role: "Developer",
        deadline: "2026-12-31",
        place: "Haifa",
        jobUrl: "https://acme.example/1",
      },
      { company: "אקמי", role: "מעצבת", deadline: "2026-12-30" },
      { company: "Wix", role: "Analyst", deadline: "2026-12-31" },
    ]);
    expect(findings).toEqual([]);
  });

  it("has interviews, which are no deadlines, and what has no place", () => {
    const { applications, findings } = imported(
      calendarOf(
        event(
          "SUMMARY:Technical interview with Acme",
          "DTSTART:20261230T100000Z",
          "LOCATION:https://zoom.example/j/1",
          "DESCRIPTION:Bring\\na laptop",
        ),
        event("SUMMARY:Dentist", "DTSTART:tomorrow"),
      ),
    );
    expect(applications).toMatchObject([
      { stageId: other, details: { company: "Acme", role: "", place: "", deadline: null } },
      { details: { company: "Dentist", role: "" } },
    ]);
    expect(applications[1]?.stageId).toBeUndefined();
    expect(findings).toEqual([
      { row: 1, column: "LOCATION", code: "no-place", text: "https://zoom.example/j/1" },
      { row: 1, column: "DESCRIPTION", code: "no-place", text: "Bring a laptop" },
      { row: 1, column: "DTSTART", code: "no-place", text: "20261230T100000Z" },
      { row: 2, column: "SUMMARY", code: "no-company", text: "Dentist" },
      { row: 2, column: "DTSTART", code: "not-a-date", text: "tomorrow" },
    ]);
  });

  it("has lines that were folded within a character, and alarms with texts of their own", () => {
    const line = Buffer.from("SUMMARY:מפתחת בחברת אקמי");
    const file = Buffer.concat([
      Buffer.from("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"),
      line.subarray(0, 11),
      Buffer.from("\r\n "),
      line.subarray(11),
      Buffer.from(
        "\r\nBEGIN:VALARM\r\nDESCRIPTION:x\r\nDTSTART:20200101\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR",
      ),
    ]);
    const { applications, findings } = imported(file);
    expect(applications).toMatchObject([{ details: { company: "אקמי", deadline: null } }]);
    expect(findings).toEqual([]);
  });

  it("is broken, and read as far as it goes", () => {
    const broken =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Developer at Acme\nno property\n:\nX;="a:b\nBEGIN:VEVENT\nSUMMARY:Analyst at Wix\nDTSTART:20261331\nBEGIN:VEVENT\nSTATUS:CANCELLED\nSUMMARY:Other at Wix\n';
    expect(imported(broken).applications.map(({ details }) => details.company)).toEqual([
      "Acme",
      "Wix",
    ]);
    expect(imported("BEGIN:VCALENDAR").applications).toEqual([]);
  });

  it("never fails, whatever the file is", () => {
    const lines = fc.constantFrom(
      "BEGIN:VEVENT",
      "END:VEVENT",
      "SUMMARY:Developer at Acme",
      "SUMMARY:",
      "DTSTART:20260101",
      "DTSTART:99999999T999999Z",
      "DTSTART:00000101T000000Z",
      "DTSTART:20261231T999999Z",
      "BEGIN:VALARM",
      'LOCATION;X="a',
      " folded",
      "URL:x",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(lines, fc.string({ unit: "binary" }))), (parts) => {
        imported(calendarOf(...parts));
      }),
    );
    for (const [sign, count] of [
      ["BEGIN:VEVENT\n", 300_000],
      ["BEGIN:X\n", 300_000],
      [';"', 500_000],
      ["\r\n ", 1_000_000],
      ["SUMMARY:a\n", 300_000],
    ] as const)
      expect(() => imported(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${sign.repeat(count)}`)).not.toThrow();
  });

  it("is known by how it begins", () => {
    expect(isCalendar("\r\n BEGIN:VCALENDAR\r\n")).toBe(true);
    expect(isCalendar("Company,BEGIN:VCALENDAR")).toBe(false);
  });
});
