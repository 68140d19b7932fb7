import type { SavedKind } from "@pro-talent/schemas/analysts/saved-work";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router-dom";

import { CallFailure } from "../../../api-client/query-answer.ts";
import { PageHeader } from "../../../ui/app-shell/app-shell.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DataView, type FailureText } from "../../../ui/data-view/data-view.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { useAccount } from "../../account-query.ts";
import { useViewTexts } from "../../view-texts.ts";
import { useWorkActs } from "./work-acts.ts";
import { savedWorkQuery, type SavedWork } from "./work-queries.ts";
import { useWorkTexts } from "./work-texts.ts";

import "./work.css";

const RenameDialog = lazy(async () => ({
  default: (await import("./work-dialogs.tsx")).RenameDialog,
}));
const ShareDialog = lazy(async () => ({
  default: (await import("./work-dialogs.tsx")).ShareDialog,
}));

function Acts({ work, actions }: { work: SavedWork; actions: ReactNode }) {
  const { t } = useTranslation("analyst-work");
  const isAnalyst = useAccount().roles.includes("analyst");
  const { archive } = useWorkActs();
  const [open, setOpen] = useState<"rename" | "share">();
  const close = (): void => setOpen(undefined);
  const isArchived = work.archivedAt !== null;
  if (!work.isOwn || !isAnalyst) return actions;
  return (
    <>
      {actions}
      {!isArchived && <Button onClick={() => setOpen("share")}>{t("sharing.action")}</Button>}
      {!isArchived && <Button onClick={() => setOpen("rename")}>{t("rename.action")}</Button>}
      <Button onClick={() => void archive(work, !isArchived)}>
        {t(isArchived ? "archive.restore" : "archive.action")}
      </Button>
      <Suspense>
        {open === "rename" && <RenameDialog work={work} onClose={close} />}
        {open === "share" && <ShareDialog work={work} onClose={close} />}
      </Suspense>
    </>
  );
}

type WorkFrameProps = {
  kind: SavedKind;
  /** Beside renaming and sharing. */
  actions?: ReactNode;
  children: (work: SavedWork) => ReactNode;
};

/** The page of the saved query or dashboard that the address names, in the states that it has. */
export function WorkFrame(props: WorkFrameProps) {
  const { workId = "" } = useParams();
  return <Frame key={workId} workId={workId} {...props} />;
}

function Frame({ workId, kind, actions, children }: WorkFrameProps & { workId: string }) {
  const query = useQuery(savedWorkQuery(workId));
  const { t } = useTranslation("analyst-work");
  const { time, sharing } = useWorkTexts();
  const { texts, describe } = useViewTexts(t("loading"));
  const work = query.data?.saved;
  const isUnknown = work !== undefined && work.kind !== kind;
  const [name, names] =
    kind === "query" ? (["query", "queries"] as const) : (["dashboard", "dashboards"] as const);
  const toAll = `/console/analyst/${names}`;
  const unknown = { title: t(`${name}.unknown`), body: t(`${name}.unknownBody`) };
  const describeWork = (cause: Error | "offline"): FailureText =>
    cause instanceof CallFailure && cause.status === 404
      ? { ...unknown, denied: true }
      : describe(cause);
  return (
    <>
      <PageHeader
        breadcrumb={<Link to={toAll}>{t(`${names}.title`)}</Link>}
        title={work === undefined || isUnknown ? t(`${name}.title`) : <bdi>{work.title}</bdi>}
        lead={
          work !== undefined &&
          !isUnknown && (
            <>
              {t("query.saved", { version: work.version, time: time(work.changedAt) })} ·{" "}
              {!work.isOwn && `${t("sharing.other")} · `}
              {sharing(work.sharedWith)}
            </>
          )
        }
        actions={work !== undefined && !isUnknown && <Acts work={work} actions={actions} />}
      />
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="block" count={3} />}
        isEmpty={() => isUnknown}
        empty={{ ...unknown, action: <Link to={toAll}>{t(`${name}.toAll`)}</Link> }}
        describe={describeWork}
        partial={({ saved: { archivedAt, isHandedOver } }) => {
          if (archivedAt !== null) return t("archive.note", { time: time(archivedAt) });
          return isHandedOver ? t("sharing.handedOver") : undefined;
        }}
      >
        {({ saved }) => children(saved)}
      </DataView>
    </>
  );
}
