import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { todayIn } from "../../days-in-query.ts";
import { dayPlus } from "../calendar/calendar-month.ts";
import type { Reminder } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { usePartActs } from "./part-acts.ts";

/** A reminder with what can be done with it, for the application and the dashboard. */
export function ReminderActs({ reminder }: { reminder: Reminder }) {
  const { t } = useTranslation("applications");
  const { timeZone: zone } = useTrackerTexts();
  const { applicationId, reminderId, text } = reminder;
  const { act } = usePartActs(applicationId);
  const params = { applicationId, reminderId };
  const change = (body: { done: true } | { at: string; zone: string }): void =>
    void act("PATCH /api/applications/:applicationId/reminders/:reminderId", { params, body });
  const tomorrow = `${dayPlus(todayIn(zone), 1)}T09:00`;
  const about = <span className="visually-hidden">{text}</span>;
  return (
    <span className="reminder__acts">
      <Button onClick={() => change({ done: true })}>
        {t("reminder.done")} {about}
      </Button>
      <Button variant="text" onClick={() => change({ at: tomorrow, zone })}>
        {t("reminder.tomorrow")} {about}
      </Button>
    </span>
  );
}
