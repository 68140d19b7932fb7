import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { useAccount } from "../account-query.ts";
import { type DaysAsked, daysOf, periodIn, todayIn } from "../days-in-query.ts";
import { isolated } from "../isolated.ts";
import type { Open, OpensAsked } from "../link-opens.ts";
import type { LinkInsights, ShareLink, Totals } from "./link-queries.ts";

const deviceClasses = ["desktop", "mobile", "tablet", "tv", "console", "other"] as const;

/** From the address: the days and the limits of a question about opens. */
export function opensAskedIn(search: URLSearchParams, zone: string): OpensAsked {
  const days: DaysAsked = daysOf(periodIn(search), todayIn(zone));
  const [country, source] = [search.get("country"), search.get("source")];
  const device = deviceClasses.find((one) => one === search.get("device"));
  return {
    ...days,
    zone,
    ...(country !== null && /^[A-Z]{2}$/u.test(country) ? { country } : {}),
    ...(device === undefined ? {} : { device }),
    ...(source === null ? {} : { source }),
  };
}

const dayParts = { weekday: "short", day: "numeric", month: "short" } as const;
const timeParts = { ...dayParts, hour: "2-digit", minute: "2-digit" } as const;
const hourMs = 60 * 60_000;

const isHourly = ([first, second]: LinkInsights["series"]): boolean =>
  first !== undefined &&
  second !== undefined &&
  Date.parse(second.at) - Date.parse(first.at) <= hourMs;

/** What a link opens, in words. */
function targetIn({ url, file, cv }: ShareLink, t: TFunction<"links">): string {
  if (file === null) return url ?? t("target.profile");
  if (cv === undefined) return file.name;
  const name = isolated(file.name);
  return t(cv.version === null ? "target.cvCurrent" : "target.cvVersion", { name });
}

/** Words and numbers about links in the language of the page and the zone of the account. */
export function useLinkTexts() {
  const { t } = useTranslation("links");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const numbers = new Intl.NumberFormat(language);
  const regions = new Intl.DisplayNames(language, { type: "region", fallback: "code" });
  const time = new Intl.DateTimeFormat(language, { ...timeParts, timeZone });
  const fullDay = new Intl.DateTimeFormat(language, { ...dayParts, timeZone });
  const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone });
  const number = (value: number): string => numbers.format(value);
  const country = (code: string): string =>
    code === "" ? t("place.unknown") : (regions.of(code) ?? code);
  const opens = (count: number): string => t("opens", { count, shown: number(count) });
  const people = ({ people: { count, upTo } }: Pick<Totals, "people">): string =>
    t(upTo ? "peopleAbout" : "people", { count, shown: number(count) });
  return {
    timeZone,
    number,
    country,
    opens,
    time: (at: string | number): string => time.format(new Date(at)),
    day: (at: string | number): string => day.format(new Date(at)),
    /** How the moments of a series are named: by the day, unless they are hours. */
    momentOf: (series: LinkInsights["series"]) => (at: number) =>
      (isHourly(series) ? time : fullDay).format(at),
    /** What the numbers rest on: "14 opens by about 6 people; 7 requests by machines left out". */
    confidence: (totals: Totals): string => {
      const { opens: count, excluded } = totals;
      const counted =
        count === 0 ? opens(0) : t("counted", { opens: opens(count), people: people(totals) });
      if (excluded === 0) return t("noneLeftOut", { counted });
      return t("leftOut", { counted, count: excluded, shown: number(excluded) });
    },
    /** "seen 2 min, 3 of 4 pages" */
    seen: ({ state, seconds, pages, pagesTotal, downloaded }: Open): string => {
      const parts = [
        state === "seen" && seconds !== null
          ? t("open.seenFor", { duration: duration(seconds) })
          : t(`open.${state}`),
        ...(pages !== null && pagesTotal !== null && pages > 0
          ? [t("open.pages", { count: pagesTotal, pages: number(pages), all: number(pagesTotal) })]
          : []),
        ...(downloaded ? [t("open.downloaded")] : []),
      ];
      return parts.join(", ");
    },
    place: ({ country: code, region }: Pick<Open, "country" | "region">): string =>
      region === "" ? country(code) : `${region}, ${country(code)}`,
    source: (source: string): string =>
      source === "" || source === "direct" ? t("sources.direct") : source,
    duration,
    target: (link: ShareLink): string => targetIn(link, t),
  };

  function duration(seconds: number): string {
    return seconds < 60
      ? t("duration.seconds", { count: seconds, shown: number(seconds) })
      : t("duration.minutes", {
          count: Math.round(seconds / 60),
          shown: number(Math.round(seconds / 60)),
        });
  }
}
