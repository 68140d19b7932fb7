import { applicationLimits as limit } from "@pro-talent/schemas/applications/limits";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Choice } from "../../../ui/choice/choice.tsx";
import { Field } from "../../../ui/field/field.tsx";
import { todayIn } from "../../days-in-query.ts";
import { textIn } from "../../form-machine.ts";
import { SubmissionForm } from "../../submission-form.tsx";
import { type Faults, refusalIn } from "../../submission.machine.ts";
import { dayPlus } from "../calendar/calendar-month.ts";
import type { Reminder } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { usePartActs } from "./part-acts.ts";
import { ReminderActs } from "./reminder-acts.tsx";

const faultsIn = (data: FormData): Faults => ({
  text: textIn(data, "text").trim() === "" ? "applications:errors.textRequired" : undefined,
  day: textIn(data, "day") === "" ? "applications:errors.dayRequired" : undefined,
});

const placeName = (zone: string): string => zone.replaceAll("_", " ");

type FormProps = { applicationId: string; onDone: () => void };

function ReminderForm({ applicationId, onDone }: FormProps) {
  const { t } = useTranslation("application");
  const { timeZone: zone } = useTrackerTexts();
  const { send: call } = usePartActs(applicationId);
  const tomorrow = dayPlus(todayIn(zone), 1);
  const send = async (data: FormData) => {
    const at = `${textIn(data, "day")}T${textIn(data, "time") || "09:00"}`;
    const byMail = data.has("byMail");
    const body = { at, zone, text: textIn(data, "text").trim(), byMail };
    const params = { applicationId };
    const result = await call("POST /api/applications/:applicationId/reminders", { params, body });
    const refused = refusalIn(result, { reminder_past: "day" });
    if (refused === undefined) onDone();
    return refused;
  };
  return (
    <SubmissionForm
      submission={{ faultsIn, send }}
      submit={t("reminders.plan")}
      sending={t("saving")}
      actions={<Button onClick={onDone}>{t("cancel")}</Button>}
    >
      {(field) => (
        <>
          <Field {...field("text")} label={t("reminders.text")}>
            {(control) => (
              <input
                {...control}
                name="text"
                dir="auto"
                autoComplete="off"
                maxLength={limit.lineCharsMax}
                aria-required
              />
            )}
          </Field>
          <div className="tracker-fields__group">
            <Field {...field("day")} label={t("reminders.day")}>
              {(control) => (
                <input {...control} name="day" type="date" defaultValue={tomorrow} aria-required />
              )}
            </Field>
            <Field {...field("time")} label={t("reminders.time")}>
              {(control) => <input {...control} name="time" type="time" defaultValue="09:00" />}
            </Field>
          </div>
          <p className="tracker__quiet">{t("reminders.zone", { zone: placeName(zone) })}</p>
          <Choice
            type="checkbox"
            {...field("byMail")}
            name="byMail"
            value="1"
            label={t("reminders.byMail")}
            defaultChecked
          />
        </>
      )}
    </SubmissionForm>
  );
}

function Entry({ reminder, readOnly }: { reminder: Reminder; readOnly: boolean }) {
  const { t } = useTranslation("application");
  const { fullTime, timeZone } = useTrackerTexts();
  const { applicationId, reminderId, text, dueAt, status, zone, at, byMail } = reminder;
  const { act } = usePartActs(applicationId);
  const params = { applicationId, reminderId };
  const remove = (): void =>
    void act("DELETE /api/applications/:applicationId/reminders/:reminderId", { params });
  return (
    <li className="reminder" data-status={status}>
      <p>
        <bdi>{text}</bdi>
      </p>
      <p className="tracker__quiet">
        {status === "due" && <strong>{t("reminders.due")} </strong>}
        <time dateTime={dueAt}>{fullTime(dueAt)}</time>
        {zone !== timeZone && ` (${at.slice(11)}, ${placeName(zone)})`}
        {byMail && ` · ${t("reminders.mailed")}`}
      </p>
      {!readOnly && (
        <p className="tracker__acts">
          {status !== "done" && <ReminderActs reminder={reminder} />}
          <Button variant="text" onClick={remove}>
            {t("remove")} <span className="visually-hidden">{text}</span>
          </Button>
        </p>
      )}
    </li>
  );
}

type RemindersProps = { applicationId: string; reminders: readonly Reminder[]; readOnly: boolean };

/** What the account is reminded of; what is done stays in the past of the application. */
export function Reminders({ applicationId, reminders, readOnly }: RemindersProps) {
  const { t } = useTranslation("application");
  const [adding, setAdding] = useState(false);
  const open = reminders.filter(({ status }) => status !== "done");
  return (
    <section className="application__part" aria-labelledby="reminders">
      <div className="application__part-head">
        <h2 id="reminders">{t("reminders.title")}</h2>
        {!readOnly && !adding && (
          <Button variant="text" onClick={() => setAdding(true)}>
            {t("reminders.add")}
          </Button>
        )}
      </div>
      {adding && <ReminderForm applicationId={applicationId} onDone={() => setAdding(false)} />}
      {open.length === 0 && !adding && <p className="tracker__quiet">{t("reminders.none")}</p>}
      <ul className="application__list">
        {open.map((reminder) => (
          <Entry key={reminder.reminderId} reminder={reminder} readOnly={readOnly} />
        ))}
      </ul>
    </section>
  );
}
