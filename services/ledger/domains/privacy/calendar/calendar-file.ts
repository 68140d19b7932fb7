import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { RunningClock } from "@pro-talent/schemas/privacy/overview-calls";
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";

/** A clock as a calendar program follows it. */
export type FeedEntry = Pick<RunningClock, "kind" | "id" | "endsAt"> & {
  /** Of one request, breach or account, several clocks of a kind differ by it. */
  readonly part: string;
  /** The type of a request; null for what is none. */
  readonly type: "access" | "delete" | "correct" | null;
  /** Grows with every change of what the clock is about. */
  readonly version: number;
  /** It was decided, cancelled or held before its end. */
  readonly isCancelled: boolean;
};

type Words = {
  readonly title: string;
  readonly kinds: Readonly<Record<RunningClock["kind"], string>>;
  readonly types: Readonly<Record<NonNullable<FeedEntry["type"]>, string>>;
};

const words: Readonly<Record<Locale, Words>> = {
  en: {
    title: "Pro Talent: privacy clocks",
    kinds: {
      due: "Decision due",
      identity: "Identity verified by",
      extension: "Extension ends",
      erase: "Erasure",
      "hold-review": "Review of a hold",
      package: "Package ends",
      backups: "Backups gone by",
      breach: "Notice of a breach",
      inactivity: "Inactive account",
    },
    types: { access: "copy of data", correct: "correction", delete: "deletion" },
  },
  he: {
    title: "Pro Talent: מועדי פרטיות",
    kinds: {
      due: "מועד החלטה",
      identity: "אימות זהות עד",
      extension: "סוף הארכה",
      erase: "מחיקה",
      "hold-review": "בחינת עיכוב",
      package: "סוף חבילה",
      backups: "השמדת גיבויים עד",
      breach: "הודעה על אירוע אבטחה",
      inactivity: "חשבון לא פעיל",
    },
    types: { access: "עותק של נתונים", correct: "תיקון", delete: "מחיקה" },
  },
};

/** An entry ends with its clock, so that a due date stands on its last day. */
const entryMs = 30 * 60_000;
const refreshSeconds = 60 * 60;

type Made = { readonly language: Locale; readonly at: Instant; readonly origin: string };

/**
 * Clocks as a calendar file (RFC 5545): what ends, the number of the request or the breach, and when. No
 * name, no address, no law of a hold, and no number of an account.
 */
export function calendarFile(
  entries: readonly FeedEntry[],
  { language, at, origin }: Made,
): string {
  const say = words[language];
  const calendar = ical({
    name: say.title,
    prodId: { company: "Pro Talent", product: "Privacy clocks", language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  for (const { kind, id, part, endsAt, type, version, isCancelled } of entries) {
    const path = pathOf(kind, id);
    const ends = Date.parse(endsAt);
    calendar.createEvent({
      id: `${[kind, id, part].filter((one) => one !== "").join("-")}@${new URL(origin).hostname}`,
      start: new Date(ends - entryMs),
      end: new Date(ends),
      stamp: new Date(at),
      sequence: version,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      summary: [
        say.kinds[kind],
        ...(type === null ? [] : [say.types[type]]),
        ...(path === undefined ? [] : [id.slice(0, 8)]),
      ].join(" · "),
      ...(path !== undefined && { url: `${origin}${path}` }),
    });
  }
  return calendar.toString();
}

function pathOf(kind: RunningClock["kind"], id: string): string | undefined {
  if (kind === "inactivity") return undefined;
  return `/console/privacy/${kind === "breach" ? "breaches" : "requests"}/${id}`;
}
