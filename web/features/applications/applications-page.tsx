import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import { Menu } from "../../ui/menu/menu.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { lazyPart } from "../lazy-part.tsx";
import { useApplicationActs } from "./acts.ts";
import { useSearchValues, ViewSwitch } from "./filters.tsx";
import { type Imported, trackerQuery, type Tracker } from "./queries.ts";
import { sourcesOf, trackerSearchIn } from "./search.ts";
import { Suggestions } from "./suggestions.tsx";
import { Content, parts } from "./views.tsx";
import { WithoutTracker } from "./without-tracker.tsx";

import "./tracker.css";

const AddApplication = lazyPart(async () => (await import("./add-application.tsx")).AddApplication);
const ImportDialog = lazyPart(async () => (await import("./import-dialog.tsx")).ImportDialog);
const ImportReview = lazyPart(async () => (await import("./import-review.tsx")).ImportReview);
const PipelineEditor = lazyPart(async () => (await import("./pipeline-editor.tsx")).PipelineEditor);
type Asked = "add" | "import" | "pipeline";

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
  const query = useQuery(trackerQuery);
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
