import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { todayIn } from "../../days-in-query.ts";
import { type Application, remindersQuery } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { usePhone } from "../use-phone.ts";
import {
  type CalendarEntry,
  entriesByDay,
  firstDayOf,
  monthPlus,
  weeksOf,
} from "./calendar-month.ts";
import { type GridProps, MonthGrid } from "./month-grid.tsx";

import "./calendar.css";

/** The entries of a day in full, with the way to each application. */
function DayEntries({ entries }: { entries: readonly CalendarEntry[] }) {
  const { t } = useTranslation("applications");
  const { clock } = useTrackerTexts();
  return (
    <ul className="day__entries">
      {entries.map(({ id, kind, applicationId, company, text, dueAt }) => (
        <li key={id} className="day__entry" data-kind={kind}>
          <span className="day__kind">
            {dueAt === undefined ? t("calendar.deadline") : clock(dueAt)}
          </span>
          <span>
            <Link to={`/applications/${applicationId}`}>
              <bdi>{company}</bdi>
            </Link>
            {text !== "" && (
              <>
                {": "}
                <bdi>{text}</bdi>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** On phones: the days of the month that bring something. */
function DayList({ month, entries }: Pick<GridProps, "month" | "entries">) {
  const { t } = useTranslation("applications");
  const { longDay } = useTrackerTexts();
  const days = [...entries.keys()].filter((day) => day.startsWith(month)).toSorted();
  if (days.length === 0) return <p className="tracker__quiet">{t("calendar.emptyMonth")}</p>;
  return (
    <ol className="month-list">
      {days.map((day) => (
        <li key={day}>
          <h3>
            <time dateTime={day}>{longDay(day)}</time>
          </h3>
          <DayEntries entries={entries.get(day) ?? []} />
        </li>
      ))}
    </ol>
  );
}

/** The day that is chosen in the month. */
function ChosenDay({ day, entries }: { day: string; entries: readonly CalendarEntry[] }) {
  const { t } = useTranslation("applications");
  const { longDay } = useTrackerTexts();
  return (
    <section className="day" aria-labelledby="chosen-day">
      <h3 id="chosen-day">{longDay(day)}</h3>
      {entries.length === 0 ? (
        <p className="tracker__quiet">{t("calendar.emptyDay")}</p>
      ) : (
        <DayEntries entries={entries} />
      )}
    </section>
  );
}

type CalendarProps = {
  applications: readonly Application[];
  month: string;
  onMonth: (month: string) => void;
};

/** Deadlines and reminders by day. */
export function Calendar({ applications, month, onMonth }: CalendarProps) {
  const { t } = useTranslation("applications");
  const language = useLanguage();
  const { timeZone } = useTrackerTexts();
  const isPhone = usePhone();
  const today = todayIn(timeZone);
  const [day, setDay] = useState(today);
  const chosen = day.startsWith(month) ? day : `${month}-01`;
  const until = weeksOf(month, firstDayOf(language)).at(-1)?.at(-1) ?? today;
  const reminders = useQuery(remindersQuery(until, timeZone));
  const entries = entriesByDay(applications, reminders.data?.reminders ?? [], timeZone);
  const title = new Intl.DateTimeFormat(language, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  }).format(Date.parse(`${month}-01`));
  const choose = (next: string): void => {
    setDay(next);
    if (!next.startsWith(month)) onMonth(next.slice(0, 7));
  };
  return (
    <div className="calendar-view">
      <div className="calendar-view__head">
        <h2 aria-live="polite">{title}</h2>
        <Button onClick={() => onMonth(monthPlus(month, -1))}>{t("calendar.previous")}</Button>
        <Button onClick={() => choose(today)}>{t("calendar.today")}</Button>
        <Button onClick={() => onMonth(monthPlus(month, 1))}>{t("calendar.next")}</Button>
      </div>
      {reminders.error !== null && <p role="alert">{t("calendar.withoutReminders")}</p>}
      {isPhone ? (
        <DayList month={month} entries={entries} />
      ) : (
        <div className="calendar-view__parts">
          <MonthGrid
            month={month}
            today={today}
            chosen={chosen}
            entries={entries}
            onChoose={choose}
          />
          <ChosenDay day={chosen} entries={entries.get(chosen) ?? []} />
        </div>
      )}
    </div>
  );
}
