import { calendarKinds } from "@pro-talent/schemas/privacy/calendar-kinds";
import type { RunningClock } from "@pro-talent/schemas/privacy/overview-calls";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { daysUntil } from "../days-until.ts";
import { useViewTexts } from "../view-texts.ts";
import { CalendarFeed } from "./calendar-feed.tsx";
import { type CalendarWeek, calendarOf, legalZone } from "./calendar-weeks.ts";
import { calendarQuery } from "./overview-queries.ts";

import "./privacy-console.css";
import "./calendar-page.css";

type Kind = RunningClock["kind"];
const isKind = (text: string | null): text is Kind => calendarKinds.some((kind) => kind === text);

const pathOf = ({ kind, id }: RunningClock): string | undefined => {
  if (kind === "inactivity") return undefined;
  return kind === "breach" ? `/console/privacy/breaches/${id}` : `/console/privacy/requests/${id}`;
};

/** One clock: what ends, of what, and a link to it. */
function Entry({ clock, isPast = false }: { clock: RunningClock; isPast?: boolean }) {
  const { t } = useTranslation("privacy-calendar");
  const { kind, id, endsAt, detail } = clock;
  const time = new Intl.DateTimeFormat(useLanguage(), {
    ...(isPast ? { dateStyle: "medium" } : {}),
    timeStyle: "short",
    timeZone: legalZone,
  });
  const path = pathOf(clock);
  const number = <code dir="ltr">{id.slice(0, 8)}</code>;
  const types = ["access", "correct", "delete"] as const;
  const type = types.find((one) => one === detail);
  // Only the day of a due date counts.
  const isTimed = kind !== "due" || isPast;
  const ended = isPast ? Math.max(0, -daysUntil(endsAt)) : undefined;
  return (
    <li className="calendar__entry" data-kind={kind}>
      <span className="calendar__kind">{t(`kinds.${kind}`)}</span>
      {type !== undefined && <span>{t(`types.${type}`)}</span>}
      {kind === "hold-review" && <bdi>{detail}</bdi>}
      {isTimed && <time dateTime={endsAt}>{time.format(Date.parse(endsAt))}</time>}
      {ended !== undefined && (
        <strong>{ended === 0 ? t("endedToday") : t("ended", { count: ended })}</strong>
      )}
      {path === undefined ? number : <Link to={path}>{number}</Link>}
    </li>
  );
}

/** A date without a time, on the page of any zone. */
function useDay(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat(useLanguage(), { ...options, timeZone: "UTC" });
  return (day) => format.format(Date.parse(day));
}

/** A week: seven columns on wide screens, else the days on which something ends. */
function Week({ week, today }: { week: CalendarWeek; today: string }) {
  const { t } = useTranslation("privacy-calendar");
  const weekName = useDay({ day: "numeric", month: "long", year: "numeric" });
  const dayName = useDay({ weekday: "short", day: "numeric", month: "short" });
  const title = `week-${week.first}`;
  return (
    <section className="calendar__week" aria-labelledby={title}>
      <h2 id={title}>{t("week", { date: weekName(week.first) })}</h2>
      <ol className="calendar__days">
        {week.days.map(({ day, clocks }) => (
          <li
            key={day}
            className="calendar__day"
            data-empty={clocks.length === 0}
            aria-current={day === today ? "date" : undefined}
          >
            <time className="calendar__date" dateTime={day}>
              {dayName(day)}
            </time>
            {clocks.length > 0 && (
              <ul>
                {clocks.map((clock) => (
                  <Entry key={`${clock.kind} ${clock.id} ${clock.endsAt}`} clock={clock} />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

type WeeksProps = { clocks: readonly RunningClock[]; now: number };

/** What has ended at a time, and the weeks from then. */
function Weeks({ clocks, now }: WeeksProps) {
  const { t } = useTranslation("privacy-calendar");
  const { past, weeks, today } = calendarOf(clocks, now);
  return (
    <>
      {past.length > 0 && (
        <section className="calendar__past" aria-labelledby="calendar-past">
          <h2 id="calendar-past">{t("past", { count: past.length })}</h2>
          <ul>
            {past.map((clock) => (
              <Entry key={`${clock.kind} ${clock.id} ${clock.endsAt}`} clock={clock} isPast />
            ))}
          </ul>
        </section>
      )}
      {weeks.map((week) => (
        <Week key={week.first} week={week} today={today} />
      ))}
    </>
  );
}

function Filters({ chosen }: { chosen: Kind | undefined }) {
  const { t } = useTranslation("privacy-calendar");
  const current = (kind: Kind | undefined) => (kind === chosen ? "page" : undefined);
  return (
    <nav aria-label={t("filter")}>
      <ul className="privacy-queue__filters">
        <li>
          <Link to="/console/privacy/calendar" aria-current={current(undefined)} preventScrollReset>
            {t("all")}
          </Link>
        </li>
        {calendarKinds.map((kind) => (
          <li key={kind}>
            <Link
              to={`/console/privacy/calendar?kind=${kind}`}
              aria-current={current(kind)}
              preventScrollReset
            >
              {t(`kinds.${kind}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Every clock that runs, by week and day; what has ended unattended first. */
export function CalendarPage() {
  const { t } = useTranslation("privacy-calendar");
  const [query, setQuery] = useSearchParams();
  const asked = query.get("kind");
  const kind = isKind(asked) ? asked : undefined;
  const loaded = useQuery(calendarQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  const chosenIn = (clocks: readonly RunningClock[]) =>
    clocks.filter((clock) => kind === undefined || clock.kind === kind);
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="privacy-queue">
        <Filters chosen={kind} />
        <DataView
          query={loaded}
          texts={{ ...texts, clearFilter: t("clear") }}
          skeleton={<Skeleton shape="block" count={2} />}
          isEmpty={({ clocks }) => chosenIn(clocks).length === 0}
          empty={{ title: t("empty.title"), body: t("empty.body") }}
          filter={
            kind === undefined
              ? undefined
              : {
                  title: t("filtered.title"),
                  body: t("filtered.body"),
                  onClear: () => setQuery({}, { preventScrollReset: true }),
                }
          }
          describe={describe}
          partial={({ more }) => (more === 0 ? undefined : t("more", { count: more }))}
        >
          {({ clocks }) => <Weeks clocks={chosenIn(clocks)} now={loaded.dataUpdatedAt} />}
        </DataView>
        <CalendarFeed />
      </div>
    </>
  );
}
