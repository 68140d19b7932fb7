import type { UseQueryResult } from "@tanstack/react-query";
import { Suspense, useDeferredValue, useMemo } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { todayIn } from "../days-in-query.ts";
import { lazyPart } from "../lazy-part.tsx";
import { useViewTexts } from "../view-texts.ts";
import { Filters, useSearchValues } from "./filters.tsx";
import { type Application, type Tracker, useOpened } from "./queries.ts";
import { filtered, isFiltered, monthIn, sourcesOf, trackerSearchIn } from "./search.ts";
import { useTrackerTexts } from "./tracker-texts.ts";

/** The views; the code of each is loaded when it is asked for. */
export const parts = {
  board: lazyPart(async () => (await import("./board/board.tsx")).Board),
  table: lazyPart(async () => (await import("./table/applications-table.tsx")).ApplicationsTable),
  calendar: lazyPart(async () => (await import("./calendar/calendar.tsx")).Calendar),
  statistics: lazyPart(async () => (await import("./statistics.tsx")).StatisticsView),
};

type ShownProps = { tracker: Tracker; applications: readonly Application[]; now: number };

/** The view that the address asks for. Without the plan's tracker all that is left is the table. */
function ShownView({ tracker, applications, now }: ShownProps) {
  const openedOf = useOpened();
  const { timeZone } = useTrackerTexts();
  const { search, set } = useSearchValues();
  const { view, sort, archived } = trackerSearchIn(search);
  const { stages } = tracker;
  const shared = { applications, stages, openedOf, now };
  switch (tracker.included ? view : "table") {
    case "board":
      return <parts.board {...shared} />;
    case "table":
      return (
        <parts.table
          {...shared}
          archived={archived}
          included={tracker.included}
          sort={sort}
          onSort={(next) =>
            set({ sort: next ? `${next.column}:${next.descending ? "down" : "up"}` : "" })
          }
        />
      );
    case "calendar":
      return (
        <parts.calendar
          applications={applications}
          month={monthIn(search, todayIn(timeZone))}
          onMonth={(month) => set({ month })}
        />
      );
    case "statistics":
      return <parts.statistics />;
  }
}

/** The applications that the address asks for, and what it asks for. */
function useShown(tracker: Tracker | undefined, now: number) {
  const { search } = useSearchValues();
  const asked = trackerSearchIn(search);
  // What is typed comes first; the cards that match follow.
  const text = useDeferredValue(asked.text);
  const { view, stage, source, waiting, archived } = asked;
  const shown = useMemo(() => {
    if (tracker === undefined) return [];
    const filter = { text, stage: view === "board" ? "" : stage, source, waiting, archived };
    return filtered(tracker, filter, now);
  }, [tracker, view, text, stage, source, waiting, archived, now]);
  return { asked, shown };
}

type ContentProps = { query: UseQueryResult<Tracker>; onAdd: () => void };

/** Filters and the view, in each of the states that it has. */
export function Content({ query, onAdd }: ContentProps) {
  const { t } = useTranslation("applications");
  const { texts, describe } = useViewTexts(t("loading"));
  const { clear } = useSearchValues();
  const tracker = query.data;
  const { asked, shown } = useShown(tracker, query.dataUpdatedAt);
  const sources = useMemo(() => sourcesOf(tracker?.applications ?? []), [tracker]);
  const isFirst = tracker?.applications.length === 0;
  const hasFilters = asked.view !== "statistics" && !isFirst;
  const isNarrowed = isFiltered(asked);
  const filter = {
    title: t(isNarrowed ? "filters.noMatch" : "filters.allArchived"),
    body: isNarrowed ? t("filters.noMatchBody") : undefined,
    onClear: clear,
  };
  const add = (
    <Button variant="solid" onClick={onAdd}>
      {t("add.action")}
    </Button>
  );
  return (
    <>
      {tracker !== undefined && hasFilters && (
        <Filters search={asked} stages={tracker.stages} sources={sources} shown={shown.length} />
      )}
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={3} />}
        isEmpty={() => isFirst || (hasFilters && shown.length === 0)}
        empty={{ title: t("empty.title"), body: t("empty.body"), action: add }}
        filter={isFirst ? undefined : filter}
        describe={describe}
      >
        {(known) => (
          <Suspense fallback={<Skeleton shape="block" count={3} />}>
            <ShownView tracker={known} applications={shown} now={query.dataUpdatedAt} />
          </Suspense>
        )}
      </DataView>
    </>
  );
}
