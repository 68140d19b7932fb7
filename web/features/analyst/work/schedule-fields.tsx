import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { type ControlProps, Field } from "../../../ui/field/field.tsx";
import { Select } from "../../../ui/field/select.tsx";
import type { Delivery, Schedule } from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

const rhythms = ["day", "week", "month"] as const;
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const monthDays = Array.from({ length: 31 }, (_, index) => index + 1);
/** Of the usual rhythms: as many days as lie between two mails. */
const daysOfRhythm = { day: 1, week: 7, month: 30 } as const;

/** What is being chosen; a schedule follows from it. */
export type Chosen = {
  every: Schedule["every"];
  weekday: number;
  day: number;
  time: string;
  zone: string;
  lastDays: number;
};

export const scheduleOf = ({ every, weekday, day, time, zone }: Chosen): Schedule => {
  if (every === "week") return { every, weekday, time, zone };
  return every === "month" ? { every, day, time, zone } : { every, time, zone };
};

export function chosenOf(delivery: Delivery | undefined, zone: string): Chosen {
  const usual = { every: "week", weekday: 1, day: 1, time: "08:00", zone, lastDays: 7 } as const;
  if (delivery === undefined) return usual;
  return { ...usual, ...delivery.schedule, lastDays: delivery.lastDays };
}

type ScheduleProps = {
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
  timeFault: string | undefined;
};

type NumbersProps = {
  control: ControlProps;
  value: number;
  options: readonly { value: number; text: string }[];
  onValue: (value: number) => void;
};

function Numbers({ control, value, options, onValue }: NumbersProps) {
  return (
    <Select {...control} value={value} onChange={({ target }) => onValue(Number(target.value))}>
      {options.map(({ value: one, text }) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </Select>
  );
}

type DayProps = Pick<ScheduleProps, "chosen"> & {
  id: string;
  change: (next: Partial<Chosen>) => void;
};

/** On which day, where the schedule has one. */
function DayField({ chosen, id, change }: DayProps) {
  const { t } = useTranslation("analyst-work");
  const { weekday } = useWorkTexts();
  if (chosen.every === "day") return null;
  if (chosen.every === "week")
    return (
      <Field id={`${id}-weekday`} label={t("plan.weekday")}>
        {(control) => (
          <Numbers
            control={control}
            value={chosen.weekday}
            options={weekdays.map((value) => ({ value, text: weekday(value) }))}
            onValue={(value) => change({ weekday: value })}
          />
        )}
      </Field>
    );
  return (
    <Field id={`${id}-day`} label={t("plan.day")} hint={t("plan.dayHint")}>
      {(control) => (
        <Numbers
          control={control}
          value={chosen.day}
          options={monthDays.map((value) => ({ value, text: String(value) }))}
          onValue={(day) => change({ day })}
        />
      )}
    </Field>
  );
}

/** How often, on which day and at what time. */
export function ScheduleFields({ chosen, onChange, timeFault }: ScheduleProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  const put = (next: Partial<Chosen>): void => onChange({ ...chosen, ...next });
  return (
    <div className="work-fields">
      <Field id={`${id}-every`} label={t("plan.every")}>
        {(control) => (
          <Select
            {...control}
            value={chosen.every}
            onChange={({ target }) => {
              const every = rhythms.find((rhythm) => rhythm === target.value) ?? "week";
              put({ every, lastDays: daysOfRhythm[every] });
            }}
          >
            {rhythms.map((every) => (
              <option key={every} value={every}>
                {t(`plan.rhythms.${every}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <DayField chosen={chosen} id={id} change={put} />
      <Field id={`${id}-time`} label={t("plan.time")} error={timeFault}>
        {(control) => (
          <input
            {...control}
            type="time"
            value={chosen.time}
            onChange={({ target }) => put({ time: target.value })}
            aria-required
          />
        )}
      </Field>
      <Field id={`${id}-about`} label={t("plan.about")}>
        {(control) => (
          <input
            {...control}
            type="number"
            min={1}
            max={limit.questionDaysMax}
            value={chosen.lastDays}
            onChange={({ target }) => {
              const days = Math.round(Number(target.value));
              put({ lastDays: Math.min(limit.questionDaysMax, Math.max(1, days)) });
            }}
          />
        )}
      </Field>
    </div>
  );
}
