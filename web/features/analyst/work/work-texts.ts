import type { SavedKind, SharedWith } from "@pro-talent/schemas/analysts/saved-work";
import { useTranslation } from "react-i18next";
import type { z } from "zod";

import { CallFailure } from "../../../api-client/query-answer.ts";
import type { Translations } from "../../../i18n/translations.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { useAccount } from "../../account-query.ts";
import type { Schedule } from "./work-queries.ts";

type Roles = z.output<typeof SharedWith>;
type RefusalCode = keyof Translations["analyst-work"]["errors"];

const dayMs = 24 * 60 * 60_000;
/** A Monday: the days after it name the other weekdays. */
const mondayMs = Date.UTC(2024, 0, 1);
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** The address of saved work. */
export const pathOf = ({ kind, workId }: { kind: SavedKind; workId: string }): string =>
  kind === "query" ? `/console/analyst/queries/${workId}` : `/console/analyst/dashboards/${workId}`;

/** A zone as people name it. */
export const placeName = (zone: string): string => zone.replaceAll("_", " ");

/** Days from one day to another, both `YYYY-MM-DD`. */
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** Words, numbers and times of saved work, in the language of the page and the zone of the account. */
export function useWorkTexts() {
  const { t } = useTranslation("analyst-work");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options });
  const days = new Intl.DateTimeFormat("en-CA-u-ca-gregory-nu-latn", { timeZone });
  const numbers = new Intl.NumberFormat(language);
  const near = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const long = of({ weekday: "long", day: "numeric", month: "long", ...clock });
  const hours = of(clock);
  /** "today 14:20", "yesterday 09:00"; other days by weekday and date. */
  const time = (instant: string, nowMs = Date.now()): string => {
    const at = new Date(instant);
    const distance = daysBetween(days.format(nowMs), days.format(at));
    if (Math.abs(distance) > 1) return long.format(at);
    return `${near.format(distance, "day")}, ${hours.format(at)}`;
  };
  const weekday = (number: number): string =>
    new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(
      mondayMs + (number - 1) * dayMs,
    );
  return {
    timeZone,
    time,
    clock: (instant: string): string => hours.format(new Date(instant)),
    weekday,
    number: (value: number): string => numbers.format(value),
    /** A day of the views, which are in UTC. */
    day: (day: string): string =>
      new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" }).format(
        Date.parse(day),
      ),
    sharing: (roles: Roles): string => {
      const [first, second] = roles;
      if (first === undefined) return t("sharing.none");
      return t(second === undefined ? `sharing.${first}` : "sharing.both");
    },
    schedule: (schedule: Schedule): string => {
      const at = schedule.time;
      if (schedule.every === "day") return t("deliveries.every.day", { time: at });
      if (schedule.every === "week")
        return t("deliveries.every.week", { time: at, weekday: weekday(schedule.weekday) });
      const { day } = schedule;
      return t(day === 31 ? "deliveries.every.monthEnd" : "deliveries.every.month", {
        time: at,
        day,
      });
    },
  };
}

/** Why a call was refused, or did not arrive. */
export function useRefusalText(): (code: string | undefined) => string {
  const { t, i18n: translator } = useTranslation("analyst-work");
  const isKnown = (code: string): code is RefusalCode =>
    translator.exists(`errors.${code}`, { ns: "analyst-work" });
  return (code) => t(`errors.${code !== undefined && isKnown(code) ? code : "failed"}`);
}

/** The code of a refused call. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof CallFailure ? error.code : undefined;
