import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { ReminderActs } from "../../../features/applications/one/reminder-acts.tsx";
import {
  remindersQuery,
  suggestionsQuery,
  trackerQuery,
  type Tracker,
} from "../../../features/applications/queries.ts";
import { isWaiting } from "../../../features/applications/search.ts";
import { SuggestionList } from "../../../features/applications/suggestions.tsx";
import { useTrackerTexts } from "../../../features/applications/tracker-texts.ts";
import { todayIn } from "../../../features/days-in-query.ts";
import { useViewTexts } from "../../../features/view-texts.ts";
import { buttonClass } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";

/** Loading and failure of one part; the others do not wait for it. */
export function usePartView() {
  const { t } = useTranslation("account");
  const { texts, describe } = useViewTexts(t("view.loading"));
  return {
    texts,
    describe,
    skeleton: <Skeleton shape="row" count={2} />,
    isEmpty: () => false,
    empty: { title: "" },
  };
}

type PartProps = { id: string; title: string; children: ReactNode };

export function Part({ id, title, children }: PartProps) {
  return (
    <section className="dashboard-part" aria-labelledby={id}>
      <h2 id={id} className="dashboard-part__title">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** What the account is reminded of until tonight, in its zone. */
function Today({ tracker }: { tracker: Tracker | undefined }) {
  const { t } = useTranslation("dashboard");
  const { timeZone, time } = useTrackerTexts();
  const reminders = useQuery(remindersQuery(todayIn(timeZone), timeZone));
  const companyOf = (id: string): string | undefined =>
    tracker?.applications.find(({ applicationId }) => applicationId === id)?.details.company;
  return (
    <Part id="today" title={t("today.title")}>
      <DataView {...usePartView()} query={reminders}>
        {({ reminders: due }) =>
          due.length === 0 ? (
            <p className="dashboard-part__quiet">{t("today.none")}</p>
          ) : (
            <ul className="dashboard-part__list">
              {due.map((reminder) => (
                <li key={reminder.reminderId} className="dashboard-part__row">
                  <div>
                    <Link to={`/applications/${reminder.applicationId}`}>
                      <bdi>{reminder.text}</bdi>
                    </Link>
                    <p className="dashboard-part__quiet">
                      <time dateTime={reminder.dueAt}>{time(reminder.dueAt)}</time>
                      {" · "}
                      <bdi>{companyOf(reminder.applicationId)}</bdi>
                    </p>
                  </div>
                  <ReminderActs reminder={reminder} />
                </li>
              ))}
            </ul>
          )
        }
      </DataView>
    </Part>
  );
}

/** So many suggestions stand on the dashboard; the others are in the tracker. */
const suggestionsShown = 4;

/** Applications that wait, and what may help. */
function Waiting({ tracker, now }: { tracker: Tracker; now: number }) {
  const { t } = useTranslation("dashboard");
  const suggestions = useQuery(suggestionsQuery);
  const kinds = new Map(tracker.stages.map(({ stageId, kind }) => [stageId, kind]));
  const waiting = tracker.applications.filter(
    (one) => one.archivedAt === null && isWaiting(one, kinds.get(one.stageId), now),
  );
  const { length: count } = waiting;
  return (
    <Part id="waiting" title={t("waiting.title")}>
      <p>
        {count === 0 ? (
          t("waiting.none")
        ) : (
          <Link to="/applications?view=table&waiting=1">{t("waiting.some", { count })}</Link>
        )}
      </p>
      <DataView {...usePartView()} query={suggestions}>
        {(data) => (
          <SuggestionList
            suggestions={data.suggestions.slice(0, suggestionsShown)}
            tracker={tracker}
            opensKnown={data.opensKnown}
          />
        )}
      </DataView>
    </Part>
  );
}

/** The tracker on the dashboard; without it in the plan, what it would show. */
export function TrackerParts() {
  const { t } = useTranslation("dashboard");
  const query = useQuery(trackerQuery);
  const view = usePartView();
  if (query.data?.included === false)
    return (
      <Part id="tracker" title={t("tracker.title")}>
        <p>{t("tracker.without")}</p>
        <Link className={buttonClass()} to="/account/subscription">
          {t("tracker.plan")}
        </Link>
      </Part>
    );
  if (query.data?.applications.length === 0)
    return (
      <Part id="tracker" title={t("tracker.title")}>
        <p>{t("tracker.first")}</p>
        <Link className={buttonClass("solid")} to="/applications">
          {t("tracker.begin")}
        </Link>
      </Part>
    );
  return (
    <>
      <Today tracker={query.data} />
      {query.data === undefined ? (
        <Part id="waiting" title={t("waiting.title")}>
          <DataView {...view} query={query}>
            {() => null}
          </DataView>
        </Part>
      ) : (
        <Waiting tracker={query.data} now={query.dataUpdatedAt} />
      )}
    </>
  );
}
