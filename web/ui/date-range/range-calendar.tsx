import { parseDate } from "@internationalized/date";
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar as AriaRangeCalendar,
} from "react-aria-components";

import { AppIcon } from "../icon/app-icon.tsx";
import { PageLanguage } from "../react-aria/page-language.tsx";

/** First and last day, as `YYYY-MM-DD`. */
export type Days = { from: string; to: string };

export type CalendarTexts = { calendar: string };

type RangeCalendarProps = {
  texts: CalendarTexts;
  days: Days | undefined;
  lastDay: string;
  onChange: (days: Days) => void;
};

/** Two days chosen in the calendar of the page's language; weeks begin as they do there. */
export function RangeCalendar({ texts, days, lastDay, onChange }: RangeCalendarProps) {
  return (
    <PageLanguage>
      <AriaRangeCalendar
        className="calendar"
        aria-label={texts.calendar}
        maxValue={parseDate(lastDay)}
        value={days === undefined ? null : { start: parseDate(days.from), end: parseDate(days.to) }}
        onChange={({ start, end }) => onChange({ from: start.toString(), to: end.toString() })}
      >
        <div className="calendar__head">
          <Button slot="previous" className="calendar__step">
            <AppIcon name="back" />
          </Button>
          <Heading className="calendar__month" level={3} />
          <Button slot="next" className="calendar__step">
            <AppIcon name="forward" />
          </Button>
        </div>
        <CalendarGrid className="calendar__grid" weekdayStyle="short">
          <CalendarGridHeader>
            {(day) => <CalendarHeaderCell className="calendar__weekday">{day}</CalendarHeaderCell>}
          </CalendarGridHeader>
          <CalendarGridBody>
            {(date) => <CalendarCell date={date} className="calendar__day" />}
          </CalendarGridBody>
        </CalendarGrid>
      </AriaRangeCalendar>
    </PageLanguage>
  );
}
