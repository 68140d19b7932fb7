import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { type CalendarEntry, dayAfterKey, firstDayOf, weeksOf } from "./calendar-month.ts";

type Entries = ReadonlyMap<string, readonly CalendarEntry[]>;
/** Entries that a day of the month shows; the others are counted. */
const shownInDay = 3;

export type GridProps = {
  month: string;
  today: string;
  chosen: string;
  entries: Entries;
  onChoose: (day: string) => void;
};

function DayCell({ day, ...props }: GridProps & { day: string }) {
  const { month, today, chosen, entries, onChoose } = props;
  const { longDay, number } = useTrackerTexts();
  const own = entries.get(day) ?? [];
  return (
    <td
      id={`day-${day}`}
      className="month__day"
      tabIndex={day === chosen ? 0 : -1}
      aria-selected={day === chosen}
      aria-current={day === today ? "date" : undefined}
      data-outside={!day.startsWith(month)}
      onClick={() => onChoose(day)}
    >
      <span className="visually-hidden">{longDay(day)}</span>
      <span className="month__number" aria-hidden="true">
        {number(Number(day.slice(8)))}
      </span>
      {own.slice(0, shownInDay).map(({ id, kind, company }) => (
        <span key={id} className="month__entry" data-kind={kind}>
          <bdi>{company}</bdi>
        </span>
      ))}
      {own.length > shownInDay && (
        <span className="month__more">+{number(own.length - shownInDay)}</span>
      )}
    </td>
  );
}

/** The month: one day is reached by Tab, the others from it by arrow keys. */
export function MonthGrid(props: GridProps) {
  const { month, chosen, onChoose } = props;
  const { t } = useTranslation("applications");
  const language = useLanguage();
  const firstDay = firstDayOf(language);
  const weeks = weeksOf(month, firstDay);
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    document.getElementById(`day-${chosen}`)?.focus();
  }, [chosen, month]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const rtl = document.documentElement.dir === "rtl";
    const next = dayAfterKey(chosen, event.key, { rtl, firstDay });
    if (next === undefined) return;
    event.preventDefault();
    moved.current = true;
    onChoose(next);
  };
  const [short, long] = (["short", "long"] as const).map(
    (weekday) => new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" }),
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a calendar is a grid
    <table className="month" role="grid" aria-label={t("calendar.title")} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col" abbr={long?.format(Date.parse(day))}>
              {short?.format(Date.parse(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <DayCell key={day} day={day} {...props} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
