import { useMemo } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { useAccount } from "../account-query.ts";
import type { Application, Stage, StageKind } from "./queries.ts";

const dayMs = 24 * 60 * 60_000;
const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const calendarDay = { day: "numeric", month: "short" } as const;

/** Whole days from an instant until now. */
export const daysSince = (instant: string, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - Date.parse(instant)) / dayMs));

/** Words, numbers and times about applications, in the language of the page and the zone of the account. */
export function useTrackerTexts() {
  const { t } = useTranslation("applications");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  // Formats are slow to make, and a board has many cards.
  return useMemo(() => {
    const numbers = new Intl.NumberFormat(language);
    const lately = new Intl.DateTimeFormat(language, { weekday: "long", ...clock, timeZone });
    const full = new Intl.DateTimeFormat(language, {
      weekday: "short",
      ...calendarDay,
      ...clock,
      timeZone,
    });
    const hours = new Intl.DateTimeFormat(language, { ...clock, timeZone });
    const days = new Intl.DateTimeFormat(language, { ...calendarDay, timeZone: "UTC" });
    const longDays = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });
    const number = (value: number): string => numbers.format(value);
    const kind = (name: StageKind): string => t(`kinds.${name}`);
    /** Of the last six days its weekday alone: "Tuesday 14:20". */
    const time = (instant: string, nowMs = Date.now()): string => {
      const isNear = Math.abs(nowMs - Date.parse(instant)) < 6 * dayMs;
      return (isNear ? lately : full).format(new Date(instant));
    };
    const perHour = (amount: number, currency: string): string =>
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
          bound === null ? [] : [perHour(bound, salary.currency)],
        );
        if (bounds.length === 0) return "";
        return t(`salary.per.${salary.per}`, { amount: bounds.join("–") });
      },
    };
  }, [t, language, timeZone]);
}
export type TrackerTexts = ReturnType<typeof useTrackerTexts>;
