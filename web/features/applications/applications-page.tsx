import { useQuery } from "@tanstack/react-query";
import { Suspense, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import { Menu } from "../../ui/menu/menu.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { todayIn } from "../days-in-query.ts";
import { lazyPart } from "../lazy-part.tsx";
import { useViewTexts } from "../view-texts.ts";
import { useApplicationActs } from "./acts.ts";
import { Filters, useSearchValues, ViewSwitch } from "./filters.tsx";
import {
  type Application,
  type Imported,
  trackerQuery,
  type Tracker,
  useOpened,
} from "./queries.ts";
import { filtered, isFiltered, monthIn, sourcesOf, trackerSearchIn } from "./search.ts";
import { Suggestions } from "./suggestions.tsx";
import { useTrackerTexts } from "./tracker-texts.ts";
import { WithoutTracker } from "./without-tracker.tsx";

import "./tracker.css";

const AddApplication = lazyPart(async () => (await import("./add-application.tsx")).AddApplication);
const ImportDialog = lazyPart(async () => (await import("./import-dialog.tsx")).ImportDialog);
const ImportReview = lazyPart(async () => (await import("./import-review.tsx")).ImportReview);
const PipelineEditor = lazyPart(async () => (await import("./pipeline-editor.tsx")).PipelineEditor);
const parts = {
  board: lazyPart(async () => (await import("./board/board.tsx")).Board),
  table: lazyPart(async () => (await import("./table/applications-table.tsx")).ApplicationsTable),
  calendar: lazyPart(async () => (await import("./calendar/calendar.tsx")).Calendar),
  statistics: lazyPart(async () => (await import("./statistics.tsx")).StatisticsView),
};

type Asked = "add" | "import" | "pipeline";

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

type ActsProps = { tracker: Tracker | undefined; onAsk: (asked: Asked) => void };

/** What is done with the tracker as a whole. */
function TrackerActs({ tracker, onAsk }: ActsProps) {
  const { t } = useTranslation("applications");
  const { save } = useApplicationActs();
  if (tracker === undefined) return null;
  const { included } = tracker;
  const changes = [
    { id: "import", text: t("import.title") },
    { id: "pipeline", text: t("pipeline.title") },
  ];
  return (
    <>
      {included && (
        <Button
          variant="solid"
          onPointerEnter={() => void AddApplication.load()}
          onClick={() => onAsk("add")}
        >
          {t("add.action")}
        </Button>
      )}
      <Menu
        groups={[
          ...(included ? [{ id: "changes", entries: changes }] : []),
          {
            id: "export",
            entries: [
              { id: "csv", text: t("export.csv") },
              { id: "ics", text: t("export.ics") },
            ],
          },
        ]}
        onAction={(id) => {
          if (id === "import" || id === "pipeline") onAsk(id);
          else void save(id === "csv" ? "csv" : "ics");
        }}
      >
        {t("more")}
        <AppIcon name="expand" />
      </Menu>
    </>
  );
}

type DialogsProps = {
  tracker: Tracker;
  asked: Asked | undefined;
  onClose: () => void;
  onRead: (imported: Imported) => void;
};

function Dialogs({ tracker, asked, onClose, onRead }: DialogsProps) {
  const { stages, applications } = tracker;
  return (
    <Suspense fallback={null}>
      {asked === "add" && (
        <AddApplication stages={stages} sources={sourcesOf(applications)} onClose={onClose} />
      )}
      {asked === "import" && <ImportDialog onClose={onClose} onRead={onRead} />}
      {asked === "pipeline" && (
        <PipelineEditor stages={stages} applications={applications} onClose={onClose} />
      )}
    </Suspense>
  );
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

type ContentProps = { query: ReturnType<typeof useTracker>; onAdd: () => void };

const useTracker = () => useQuery(trackerQuery);

/** Filters and the view, in each of the states that it has. */
function Content({ query, onAdd }: ContentProps) {
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

/** Above the views: what may help now and the choice of a view, or what another plan would show. */
function Beginning({ tracker }: { tracker: Tracker }) {
  const { search } = useSearchValues();
  if (!tracker.included) return <WithoutTracker />;
  if (tracker.applications.length === 0) return null;
  return (
    <>
      <Suggestions tracker={tracker} />
      <ViewSwitch
        view={trackerSearchIn(search).view}
        onPrepare={(view) => void parts[view].load().catch(() => undefined)}
      />
    </>
  );
}

/** The applications of the account: where each of them stands, and what to do next. */
export function ApplicationsPage() {
  const { t } = useTranslation("applications");
  const query = useTracker();
  const [asked, setAsked] = useState<Asked>();
  const [imported, setImported] = useState<Imported>();
  const tracker = query.data;
  const { applications = [], stages = [], included = true } = tracker ?? {};
  if (imported !== undefined)
    return (
      <Suspense fallback={<Skeleton shape="block" count={3} />}>
        <ImportReview
          imported={imported}
          applications={applications}
          stages={stages}
          onLeave={() => setImported(undefined)}
        />
      </Suspense>
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        lead={t("lead")}
        actions={<TrackerActs tracker={tracker} onAsk={setAsked} />}
      />
      {tracker && <Beginning tracker={tracker} />}
      {(included || applications.length > 0) && (
        <Content query={query} onAdd={() => setAsked("add")} />
      )}
      {tracker && (
        <Dialogs
          tracker={tracker}
          asked={asked}
          onClose={() => setAsked(undefined)}
          onRead={(read) => {
            setAsked(undefined);
            setImported(read);
          }}
        />
      )}
    </>
  );
}
