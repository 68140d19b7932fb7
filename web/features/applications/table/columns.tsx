import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import type { Column } from "../../../ui/data-table/table-model.ts";
import type { Application, OpenedOf, Stage } from "../queries.ts";
import { daysSince, type TrackerTexts, useTrackerTexts } from "../tracker-texts.ts";

/** Sorts after every date. */
const last = "\uFFFF";

/** What the columns show besides the applications themselves. */
export type ColumnsProps = { stages: readonly Stage[]; openedOf: OpenedOf; now: number };

/** The company and the role, with a link to the application. */
function nameColumns(header: (name: "company" | "role") => string): Column<Application>[] {
  return [
    {
      id: "company",
      header: header("company"),
      value: ({ details }) => details.company,
      cell: ({ applicationId, details }) => (
        <Link to={`/applications/${applicationId}`}>
          <bdi>{details.company}</bdi>
        </Link>
      ),
    },
    {
      id: "role",
      header: header("role"),
      value: ({ details }) => details.role,
      cell: ({ details }) => details.role && <bdi>{details.role}</bdi>,
    },
  ];
}

function progressColumns(
  { stages, openedOf, now }: ColumnsProps,
  texts: TrackerTexts,
  header: (name: "stage" | "days" | "opened") => string,
): Column<Application>[] {
  const places = new Map(stages.map((stage, index) => [stage.stageId, { stage, index }]));
  return [
    {
      id: "stage",
      header: header("stage"),
      // In the order of the pipeline, not of the alphabet.
      value: ({ stageId }) => places.get(stageId)?.index ?? -1,
      cell: ({ stageId }) => {
        const known = places.get(stageId);
        return <bdi>{known === undefined ? "" : texts.stage(known.stage)}</bdi>;
      },
    },
    {
      id: "days",
      header: header("days"),
      numeric: true,
      value: ({ stageSince }) => daysSince(stageSince, now),
      cell: ({ stageSince }) => texts.number(daysSince(stageSince, now)),
    },
    {
      id: "opened",
      header: header("opened"),
      value: (application) => openedOf(application) ?? "",
      cell: (application) => {
        const at = openedOf(application);
        return at && <span className="applications-table__opened">{texts.time(at)}</span>;
      },
    },
  ];
}

function dateColumns(
  texts: TrackerTexts,
  header: (name: "reminder" | "deadline" | "source") => string,
): Column<Application>[] {
  return [
    {
      id: "reminder",
      header: header("reminder"),
      value: ({ remindAt }) => remindAt ?? last,
      cell: ({ remindAt }) => remindAt && texts.time(remindAt),
    },
    {
      id: "deadline",
      header: header("deadline"),
      value: ({ details }) => details.deadline ?? last,
      cell: ({ details }) => details.deadline && texts.day(details.deadline),
    },
    {
      id: "source",
      header: header("source"),
      value: ({ details }) => details.source,
      cell: ({ details }) => details.source && <bdi>{details.source}</bdi>,
    },
  ];
}

/** The columns of the table, in their order. */
export function useColumns({
  stages,
  openedOf,
  now,
}: ColumnsProps): readonly Column<Application>[] {
  const { t } = useTranslation("applications");
  const texts = useTrackerTexts();
  return useMemo(
    () => [
      ...nameColumns((name) => t(`columns.${name}`)),
      ...progressColumns({ stages, openedOf, now }, texts, (name) => t(`columns.${name}`)),
      ...dateColumns(texts, (name) => t(`columns.${name}`)),
    ],
    [stages, openedOf, now, t, texts],
  );
}
