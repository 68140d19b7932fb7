import { useMemo } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { useAccount } from "../account-query.ts";
import type { Application, Stage, StageKind } from "./queries.ts";

const dayMs = 24 * 60 * 60_000;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const calendarDay = { day: "numeric", month: "short" } as const;

function makeFormats(language: string, timeZone: string) {
  const of = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  return {
    numbers: new Intl.NumberFormat(language),
    lately: of({ weekday: "long", ...clock, timeZone }),
    full: of({ weekday: "short", ...calendarDay, ...clock, timeZone }),
    hours: of({ ...clock, timeZone }),
    days: of({ ...calendarDay, timeZone: "UTC" }),
    longDays: of({ dateStyle: "full", timeZone: "UTC" }),
  };
}
const known = new Map<string, ReturnType<typeof makeFormats>>();
/** Formats are slow to make, and many parts of a page need them. */
function formatsOf(language: string, timeZone: string) {
  const key = `${language} ${timeZone}`;
  const formats = known.get(key) ?? makeFormats(language, timeZone);
  known.set(key, formats);
  return formats;
}

/** Whole days from an instant until now. */
export const daysSince = (instant: string, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - Date.parse(instant)) / dayMs));

/** Words, numbers and times about applications, in the language of the page and the zone of the account. */
export function useTrackerTexts() {
  const { t } = useTranslation("applications");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  return useMemo(() => {
    const { numbers, lately, full, hours, days, longDays } = formatsOf(language, timeZone);
    const number = (value: number): string => numbers.format(value);
    const kind = (name: StageKind): string => t(`kinds.${name}`);
    /** Of the last six days its weekday alone: "Tuesday 14:20". */
    const time = (instant: string, nowMs = Date.now()): string => {
      const isNear = Math.abs(nowMs - Date.parse(instant)) < 6 * dayMs;
      return (isNear ? lately : full).format(new Date(instant));
    };
    const money = (amount: number, currency: string): string =>
      new Intl.NumberFormat(language, {
        style: "currency",
        currency,
        maximumFractionDigits: 0,
      }).format(amount);
    return {
      timeZone,
      number,
      kind,
      stage: ({ name, kind: of }: Stage): string => (name === "" ? kind(of) : name),
      time,
      /** The time of a day that is named beside it. */
      clock: (instant: string): string => hours.format(new Date(instant)),
      fullTime: (instant: string): string => full.format(new Date(instant)),
      /** A calendar day, `YYYY-MM-DD`. */
      day: (day: string): string => days.format(Date.parse(day)),
      longDay: (day: string): string => longDays.format(Date.parse(day)),
      inStage: (instant: string, nowMs: number): string => {
        const count = daysSince(instant, nowMs);
        return count === 0 ? t("inStageToday") : t("inStage", { count });
      },
      opened: (instant: string): string => t("opened", { time: time(instant) }),
      salary: ({ salary }: Application["details"]): string => {
        if (salary === null) return "";
        const bounds = [...new Set([salary.from, salary.to])].flatMap((bound) =>
          bound === null ? [] : [money(bound, salary.currency)],
        );
        if (bounds.length === 0) return "";
        return t(`salary.per.${salary.per}`, { amount: bounds.join("–") });
      },
    };
  }, [t, language, timeZone]);
}
export type TrackerTexts = ReturnType<typeof useTrackerTexts>;
