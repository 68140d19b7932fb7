import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { daysOf, todayIn } from "../../days-in-query.ts";
import { isolated } from "../../isolated.ts";
import { insightsKey, isNotIncluded, linksQuery, opensQuery } from "../../link-opens.ts";
import type { Application, Stage, Whole } from "../queries.ts";
import { useTrackerTexts } from "../tracker-texts.ts";
import { NoteEntry, NoteForm } from "./notes.tsx";
import { type TimelineEntry, timelineOf } from "./timeline-of.ts";

/** Opens of the links that were sent with an application, and why some are missing. */
function useOpens({ applicationId, sent: { linkIds } }: Application) {
  const cache = useQueryClient();
  const { timeZone: zone } = useTrackerTexts();
  const asked = { ...daysOf({ preset: "12m" }, todayIn(zone)), zone };
  const { data } = useQuery({
    queryKey: [...insightsKey, "of-application", applicationId, linkIds, asked],
    queryFn: async () => {
      const asking = linkIds.map((linkId) => cache.query(opensQuery(linkId, asked, false)));
      const results = await Promise.allSettled(asking);
      const failures = results.filter((result) => result.status === "rejected");
      const answers = results.filter((result) => result.status === "fulfilled");
      const isOtherPlan = failures.some(
        ({ reason }) => reason instanceof Error && isNotIncluded(reason),
      );
      return {
        opens: answers.flatMap(({ value }) => value.opens),
        missing:
          failures.length === 0
            ? null
            : isOtherPlan
              ? ("notIncluded" as const)
              : ("failed" as const),
      };
    },
  });
  return data ?? { opens: [], missing: null };
}

function useHistoryText(stages: readonly Stage[]) {
  const { t } = useTranslation("application");
  const { stage: nameOf } = useTrackerTexts();
  const named = (id: string): string => {
    const stage = stages.find(({ stageId }) => stageId === id);
    return stage === undefined ? t("timeline.goneStage") : isolated(nameOf(stage));
  };
  return (entry: Whole["history"][number]): string => {
    switch (entry.kind) {
      case "added":
        return t("timeline.added", { stage: named(entry.stageId) });
      case "moved":
        return t("timeline.moved", { from: named(entry.from), to: named(entry.to) });
      case "archived":
        return t("timeline.archived");
      case "restored":
        return t("timeline.restored");
      case "reminded":
        return t("timeline.reminded");
    }
  };
}

type TimelineProps = {
  application: Application;
  whole: Whole;
  stages: readonly Stage[];
  readOnly: boolean;
};

/** What happened, the newest first: moves, notes, reminders, and opens of the links that were sent. */
export function Timeline({ application, whole, stages, readOnly }: TimelineProps) {
  const { t } = useTranslation("application");
  const { fullTime } = useTrackerTexts();
  const { applicationId } = application;
  const historyText = useHistoryText(stages);
  const { opens, missing } = useOpens(application);
  const { data } = useQuery(linksQuery);
  const labelOf = (id: string): string =>
    data?.links.find(({ linkId }) => linkId === id)?.label ?? t("sent.link");
  const contentOf = (entry: TimelineEntry) => {
    switch (entry.kind) {
      case "history":
        return <p>{historyText(entry.entry)}</p>;
      case "open":
        return (
          <p>
            <Link to={`/links/${entry.open.linkId}`}>
              {t("timeline.opened", { link: isolated(labelOf(entry.open.linkId)) })}
            </Link>
          </p>
        );
      case "note":
        return <NoteEntry applicationId={applicationId} note={entry.note} readOnly={readOnly} />;
    }
  };
  return (
    <section className="application__timeline" aria-labelledby="timeline">
      <h2 id="timeline">{t("timeline.title")}</h2>
      {!readOnly && <NoteForm applicationId={applicationId} />}
      {missing !== null && <p className="tracker__quiet">{t(`timeline.opens.${missing}`)}</p>}
      <ol className="timeline">
        {timelineOf(whole, opens).map((entry) => (
          <li key={entry.id} className="timeline__entry" data-kind={entry.kind}>
            <time dateTime={entry.at}>{fullTime(entry.at)}</time>
            <div>{contentOf(entry)}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}
