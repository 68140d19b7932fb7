import { analystLimits as limit } from "@pro-talent/schemas/analysts/limits";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../api-client/account-api.ts";
import { queryAnswer } from "../../api-client/query-answer.ts";
import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { type ControlProps, Field } from "../../ui/field/field.tsx";
import { Select } from "../../ui/field/select.tsx";
import { Notice } from "../../ui/notice/notice.tsx";
import { useAccount } from "../account-query.ts";
import { isolated } from "../isolated.ts";
import { toaster } from "../toaster.ts";
import {
  deliveriesQuery,
  type Delivery,
  savedListQuery,
  type Schedule,
  type Summary,
} from "./work-queries.ts";
import { codeOf, placeName, useRefusalText, useWorkTexts } from "./work-texts.ts";

const rhythms = ["day", "week", "month"] as const;
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
const monthDays = Array.from({ length: 31 }, (_, index) => index + 1);
/** Of the usual rhythms: as many days as lie between two mails. */
const daysOfRhythm = { day: 1, week: 7, month: 30 } as const;

/** What is being chosen; a schedule follows from it. */
type Chosen = {
  every: Schedule["every"];
  weekday: number;
  day: number;
  time: string;
  zone: string;
  lastDays: number;
};

const scheduleOf = ({ every, weekday, day, time, zone }: Chosen): Schedule => {
  if (every === "week") return { every, weekday, time, zone };
  return every === "month" ? { every, day, time, zone } : { every, time, zone };
};

function chosenOf(delivery: Delivery | undefined, zone: string): Chosen {
  const usual = { every: "week", weekday: 1, day: 1, time: "08:00", zone, lastDays: 7 } as const;
  if (delivery === undefined) return usual;
  return { ...usual, ...delivery.schedule, lastDays: delivery.lastDays };
}

type SourceProps = { id: string; work: readonly Summary[]; chosen: string; error?: string };

/** Which query or dashboard is delivered. */
function Source({ id, work, chosen, error }: SourceProps) {
  const { t } = useTranslation("analyst-work");
  const options = (kind: Summary["kind"]) => work.filter((one) => one.kind === kind);
  return (
    <Field id={id} label={t("plan.of")} error={error}>
      {(control) => (
        <Select {...control} name="of" defaultValue={chosen} aria-required>
          <option value="">{t("plan.choose")}</option>
          {(["query", "dashboard"] as const).map((kind) =>
            options(kind).length === 0 ? null : (
              <optgroup key={kind} label={t(kind === "query" ? "plan.queries" : "plan.dashboards")}>
                {options(kind).map(({ workId, title }) => (
                  <option key={workId} value={workId}>
                    {title}
                  </option>
                ))}
              </optgroup>
            ),
          )}
        </Select>
      )}
    </Field>
  );
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

/** How often, on which day and at what time. */
function ScheduleFields({ chosen, onChange, timeFault }: ScheduleProps) {
  const { t } = useTranslation("analyst-work");
  const { weekday } = useWorkTexts();
  const id = useId();
  const put = (next: Partial<Chosen>): void => onChange({ ...chosen, ...next });
  return (
    <div className="plan__schedule">
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
      {chosen.every === "week" && (
        <Field id={`${id}-weekday`} label={t("plan.weekday")}>
          {(control) => (
            <Numbers
              control={control}
              value={chosen.weekday}
              options={weekdays.map((value) => ({ value, text: weekday(value) }))}
              onValue={(value) => put({ weekday: value })}
            />
          )}
        </Field>
      )}
      {chosen.every === "month" && (
        <Field id={`${id}-day`} label={t("plan.day")} hint={t("plan.dayHint")}>
          {(control) => (
            <Numbers
              control={control}
              value={chosen.day}
              options={monthDays.map((value) => ({ value, text: String(value) }))}
              onValue={(day) => put({ day })}
            />
          )}
        </Field>
      )}
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

/** What was chosen, as a sentence. */
function Sentence({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation("analyst-work");
  const { schedule } = useWorkTexts();
  const { email } = useAccount();
  return (
    <output className="plan__sentence">
      {t("plan.sentence", {
        schedule: schedule(scheduleOf(chosen)),
        zone: t("deliveries.zone", { zone: isolated(placeName(chosen.zone)) }),
        email: isolated(email),
        about: t("deliveries.about", { count: chosen.lastDays }),
      })}
    </output>
  );
}

/** Sends a plan. @returns why it was refused, as a text */
function usePlanning(delivery: Delivery | undefined) {
  const { t } = useTranslation("analyst-work");
  const cache = useQueryClient();
  const refusal = useRefusalText();
  const { time } = useWorkTexts();
  const { call } = accountApi();
  return async (work: Summary | undefined, chosen: Chosen): Promise<string | undefined> => {
    const plan = { schedule: scheduleOf(chosen), lastDays: chosen.lastDays };
    const of = { kind: work?.kind ?? "query", workId: work?.workId ?? "" };
    try {
      const { delivery: planned } = await queryAnswer(
        delivery === undefined
          ? call("POST /api/console/analyst/work/deliveries", { body: { of, ...plan } })
          : call("PUT /api/console/analyst/work/deliveries/:deliveryId", {
              params: { deliveryId: delivery.deliveryId },
              body: plan,
            }),
      );
      await cache.invalidateQueries({ queryKey: deliveriesQuery.queryKey });
      const next = planned.nextAt;
      toaster.show({
        text: next === null ? t("plan.changed") : t("plan.done", { time: time(next) }),
      });
      return undefined;
    } catch (error) {
      return refusal(codeOf(error));
    }
  };
}

type PlanDialogProps = {
  /** Undefined: a new one. */
  delivery: Delivery | undefined;
  /** The work that is chosen at first. */
  chosen: string;
  onClose: () => void;
};

/** Plans a delivery, or changes when it is sent. */
export function PlanDialog({ delivery, chosen: work, onClose }: PlanDialogProps) {
  const { t } = useTranslation("analyst-work");
  const id = useId();
  const list = useQuery(savedListQuery);
  const { timeZone } = useWorkTexts();
  const [chosen, setChosen] = useState(() => chosenOf(delivery, timeZone));
  const [faults, setFaults] = useState<{ of?: string; time?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const plan = usePlanning(delivery);
  const offered = (list.data?.saved ?? []).filter(({ archivedAt }) => archivedAt === null);
  const send = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form).get("of");
    const found = offered.find(({ workId }) => workId === given);
    const isMissing = delivery === undefined && found === undefined;
    const isTimeless = chosen.time === "";
    setFaults({
      ...(isMissing ? { of: t("plan.ofRequired") } : {}),
      ...(isTimeless ? { time: t("plan.timeRequired") } : {}),
    });
    if (isMissing || isTimeless) {
      const faulty = form.querySelector<HTMLElement>(isMissing ? "[name=of]" : "[type=time]");
      faulty?.focus();
      return;
    }
    setBusy(true);
    const refused = await plan(found, chosen);
    setBusy(false);
    if (refused === undefined) onClose();
    else setFaults({ form: refused });
  };
  const isReady = delivery !== undefined || offered.length > 0;
  return (
    <Dialog
      title={t(delivery === undefined ? "plan.title" : "plan.changeTitle")}
      closeLabel={t("close")}
      onClose={onClose}
    >
      <form className="work-form" noValidate onSubmit={(event) => void send(event)}>
        {!isReady && list.isSuccess && <p>{t("plan.nothing")}</p>}
        {delivery === undefined && offered.length > 0 && (
          <Source
            id={`${id}-of`}
            work={offered}
            chosen={work}
            {...(faults.of === undefined ? {} : { error: faults.of })}
          />
        )}
        <ScheduleFields chosen={chosen} onChange={setChosen} timeFault={faults.time} />
        <Sentence chosen={chosen} />
        <Notice kind="error">{faults.form}</Notice>
        <div className="work-acts">
          <Button type="submit" variant="solid" disabled={busy || !isReady}>
            {t(delivery === undefined ? "plan.save" : "plan.saveChange")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
