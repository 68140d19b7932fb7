import { lazy, Suspense, useId } from "react";

import { Choice } from "../choice/choice.tsx";
import { Skeleton } from "../skeleton/skeleton.tsx";
import type { CalendarTexts, Days } from "./range-calendar.tsx";

import "./date-range.css";

const RangeCalendar = lazy(async () => ({
  default: (await import("./range-calendar.tsx")).RangeCalendar,
}));

/** A preset by its id, or the chosen days. */
export type DateRangeValue = { preset: string } | { days: Days | undefined };

type DateRangeProps = {
  texts: CalendarTexts & { legend: string; custom: string };
  presets: readonly { id: string; label: string }[];
  value: DateRangeValue;
  onChange: (value: DateRangeValue) => void;
  /** No later day can be chosen, as `YYYY-MM-DD`. */
  lastDay: string;
};

const customValue = "custom";

/** A period: usual ones as radio buttons; "custom" loads a calendar. */
export function DateRange({ texts, presets, value, onChange, lastDay }: DateRangeProps) {
  const name = useId();
  const chosen = "preset" in value ? value.preset : customValue;
  const choices = [...presets, { id: customValue, label: texts.custom }];
  return (
    <div className="date-range">
      <fieldset className="date-range__choices">
        <legend className="field__label">{texts.legend}</legend>
        {choices.map(({ id, label }) => (
          <Choice
            key={id}
            type="radio"
            id={`${name}-${id}`}
            name={name}
            value={id}
            label={label}
            checked={id === chosen}
            onChange={() => onChange(id === customValue ? { days: undefined } : { preset: id })}
          />
        ))}
      </fieldset>
      {"days" in value && (
        <Suspense fallback={<Skeleton shape="block" />}>
          <RangeCalendar
            texts={texts}
            days={value.days}
            lastDay={lastDay}
            onChange={(days) => onChange({ days })}
          />
        </Suspense>
      )}
    </div>
  );
}
