import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { accountApi } from "../../api-client/account-api.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { todayIn } from "../days-in-query.ts";
import { isolated } from "../isolated.ts";
import { toaster } from "../toaster.ts";
import { useApplicationActs } from "./acts.ts";
import { dayPlus } from "./calendar/calendar-month.ts";
import {
  type Stage,
  type Suggestion,
  suggestionsQuery,
  trackerKey,
  type Tracker,
} from "./queries.ts";
import { useTrackerTexts } from "./tracker-texts.ts";

import "./suggestions.css";

/** Reminds in the morning of the next day. */
const remindAt = "T09:00";

/** Plans a reminder for tomorrow; it stands in the application, and a mail is sent. */
function useRemindTomorrow() {
  const { t } = useTranslation("applications");
  const cache = useQueryClient();
  const { timeZone: zone } = useTrackerTexts();
  return async (applicationId: string, text: string): Promise<void> => {
    const at = dayPlus(todayIn(zone), 1) + remindAt;
    const result = await accountApi()
      .call("POST /api/applications/:applicationId/reminders", {
        params: { applicationId },
        body: { at, zone, text, byMail: true },
      })
      .catch(() => undefined);
    toaster.show({ text: t(result?.ok === true ? "suggestions.reminded" : "failed") });
    if (result?.ok === true) await cache.invalidateQueries({ queryKey: trackerKey });
  };
}

/** What a suggestion says, in plain words. */
function useSuggestionText() {
  const { t } = useTranslation("applications");
  const { time } = useTrackerTexts();
  return (suggestion: Suggestion, company: string, opensKnown: boolean): string => {
    const { code, days: count, opens, lastOpenedAt } = suggestion;
    const name = isolated(company);
    const at = lastOpenedAt === null ? "" : time(lastOpenedAt);
    switch (code) {
      case "silent-not-opened":
        return t(opensKnown ? "suggestions.notOpened" : "suggestions.silent", { name, count });
      case "opened-no-answer":
        return t("suggestions.noAnswer", { name, time: at, count: opens });
      case "opened-now":
        return t("suggestions.openedNow", { name, time: at });
      case "after-interview":
        return t("suggestions.afterInterview", { name, count });
      case "deadline-near":
        return count === 0
          ? t("suggestions.deadlineToday", { name })
          : t("suggestions.deadline", { name, count });
    }
  };
}

type ActProps = { suggestion: Suggestion; company: string; stages: readonly Stage[] };

/** The one thing that helps. */
function Act({ suggestion: { applicationId, code }, company, stages }: ActProps) {
  const { t } = useTranslation("applications");
  const { stage: nameOf } = useTrackerTexts();
  const remind = useRemindTomorrow();
  const { move } = useApplicationActs();
  const about = <span className="visually-hidden">{company}</span>;
  const applied = stages.find(({ kind }) => kind === "applied");
  if (code === "opened-now")
    return (
      <Link className={buttonClass()} to={`/applications/${applicationId}`}>
        {t("suggestions.see")} {about}
      </Link>
    );
  if (code === "deadline-near" && applied !== undefined) {
    const sent = { ids: [applicationId], stageId: applied.stageId, before: null };
    return (
      <Button onClick={() => move(sent, nameOf(applied))}>
        {t("suggestions.sent")} {about}
      </Button>
    );
  }
  const text = t("suggestions.followUp", { name: company, interpolation: { escapeValue: false } });
  return (
    <Button onClick={() => void remind(applicationId, text)}>
      {t("suggestions.remind")} {about}
    </Button>
  );
}

type ListProps = {
  suggestions: readonly Suggestion[];
  tracker: Pick<Tracker, "applications" | "stages">;
  opensKnown: boolean;
};

/** Suggestions with their act, for the tracker and the dashboard. */
export function SuggestionList({ suggestions, tracker, opensKnown }: ListProps) {
  const textOf = useSuggestionText();
  const byId = new Map(tracker.applications.map((one) => [one.applicationId, one]));
  return (
    <ul className="suggestions__list">
      {suggestions.map((suggestion) => {
        const { applicationId, code } = suggestion;
        const company = byId.get(applicationId)?.details.company;
        if (company === undefined) return null;
        return (
          <li key={`${applicationId} ${code}`} className="suggestions__one" data-code={code}>
            <p>
              <Link to={`/applications/${applicationId}`}>
                {textOf(suggestion, company, opensKnown)}
              </Link>
            </p>
            <Act suggestion={suggestion} company={company} stages={tracker.stages} />
          </li>
        );
      })}
    </ul>
  );
}

/** So many are shown at first. */
const shownFirst = 2;

/** What could be done next; without suggestions, or while they cannot be loaded, nothing. */
export function Suggestions({ tracker }: Pick<ListProps, "tracker">) {
  const { t } = useTranslation("applications");
  const { data } = useQuery(suggestionsQuery);
  const [all, setAll] = useState(false);
  if (data === undefined || data.suggestions.length === 0) return null;
  const { suggestions, opensKnown } = data;
  const shown = all ? suggestions : suggestions.slice(0, shownFirst);
  return (
    <section className="suggestions" aria-labelledby="suggestions-title">
      <h2 id="suggestions-title" className="suggestions__title">
        {t("suggestions.title")}
      </h2>
      <SuggestionList suggestions={shown} tracker={tracker} opensKnown={opensKnown} />
      {suggestions.length > shownFirst && (
        <Button variant="text" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t("suggestions.fewer") : t("suggestions.all", { count: suggestions.length })}
        </Button>
      )}
    </section>
  );
}
