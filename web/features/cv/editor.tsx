import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";

import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { cvsQuery } from "../cvs-query.ts";
import type { Finding } from "../documents/edit/checks.ts";
import { EditingProvider } from "../documents/edit/editing.ts";
import { useAdvice, useEditor } from "../documents/edit/use-editor.ts";
import { WritePanel } from "../documents/edit/write-panel.tsx";
import { draftKey } from "../documents/save/kept-edits.ts";
import { useSaving } from "../documents/save/use-saving.ts";
import { useNarrow } from "../documents/use-narrow.ts";
import { usePart } from "../documents/use-part.ts";
import { isolated } from "../isolated.ts";
import { lazyPart } from "../lazy-part.tsx";
import { type CvDocument, cvQuery, type CvState } from "./cv-queries.ts";
import { cvSaving } from "./cv-saving.ts";
import { EditorHeader } from "./editor-header.tsx";
import { PagePane } from "./page-pane.tsx";

const Conflicts = lazyPart(async () => (await import("../documents/save/conflicts.tsx")).Conflicts);
const LookPanel = lazyPart(async () => (await import("./panels/look-panel.tsx")).LookPanel);
const ExportPanel = lazyPart(async () => (await import("./panels/export-panel.tsx")).ExportPanel);
const VersionsPanel = lazyPart(
  async () => (await import("./panels/versions-panel.tsx")).VersionsPanel,
);

const SharePanel = lazyPart(async () => (await import("../cv-share-panel.tsx")).CvSharePanel);

const parts = ["write", "look", "page", "export", "share", "versions"] as const;

type PartsProps = {
  /** As it is saved, and as it is on the screen. */
  cv: CvState;
  document: CvDocument;
  findings: readonly Finding[];
  saved: () => Promise<boolean>;
  onRestored: (cv: CvState) => void;
};

/** Form, look, files and versions, one at a time, and beside them the page. */
function Parts({ cv, document, findings, saved, onRestored }: PartsProps) {
  const { t } = useTranslation("cv");
  const narrow = useNarrow();
  const { part, show } = usePart(parts, narrow);
  const [version, setVersion] = useState<number>();
  const earlier = part === "versions" ? version : undefined;
  const pane = <PagePane document={document} cvId={cv.cvId} version={earlier} />;
  const contents: Readonly<Record<(typeof parts)[number], ReactNode>> = {
    write: <WritePanel document={document} />,
    look: <LookPanel cvId={cv.cvId} document={document} />,
    page: pane,
    export: <ExportPanel cv={cv} document={document} findings={findings} saved={saved} />,
    share: <SharePanel cv={cv} saved={saved} />,
    versions: (
      <>
        <VersionsPanel
          cv={cv}
          shown={version}
          onShow={setVersion}
          saved={saved}
          onRestored={onRestored}
        />
        {narrow && earlier !== undefined && pane}
      </>
    ),
  };
  return (
    <div className="cv-editor">
      <div className="cv-editor__form">
        <Tabs
          label={t("parts.label", { title: isolated(cv.title) })}
          selected={part}
          onSelect={show}
          items={parts
            .filter((id) => narrow || id !== "page")
            .map((id) => ({
              id,
              title: t(`parts.${id}`),
              content: (
                <Suspense fallback={<Skeleton shape="block" count={2} />}>{contents[id]}</Suspense>
              ),
            }))}
        />
      </div>
      {!narrow && <div className="cv-editor__page">{pane}</div>}
    </div>
  );
}

/** Passes a saved CV on to the other pages. */
function useSavedCv() {
  const cache = useQueryClient();
  return useCallback(
    (cv: CvState): void => {
      cache.setQueryData(cvQuery(cv.cvId).queryKey, { cv });
      cache.setQueryData(cvsQuery.queryKey, (known) =>
        known === undefined
          ? known
          : { ...known, cvs: [cv, ...known.cvs.filter(({ cvId }) => cvId !== cv.cvId)] },
      );
    },
    [cache],
  );
}

type EditorProps = { cv: CvState; accountId: string; isOld: boolean };

/** The form on one side, the page on the other; on a phone one at a time. */
export function Editor({ cv, accountId, isOld }: EditorProps) {
  const onSaved = useSavedCv();
  const { view, actions } = useSaving(cv, {
    calls: cvSaving,
    keptAs: draftKey(accountId, `cv:${cv.cvId}`),
    onSaved,
    isOld,
  });
  const { document, base, conflicts, status } = view;
  const { advice, findings } = useAdvice(document);
  const { edit } = actions;
  const { editing, live } = useEditor({ edit, language: document.language, advice });
  return (
    <EditingProvider value={editing}>
      <EditorHeader cv={base} status={status} onStep={actions.step} />
      <output className="visually-hidden" ref={live} />
      <Suspense fallback={null}>
        {conflicts.length > 0 && (
          <Conflicts conflicts={conflicts} document={document} onSettle={actions.settle} />
        )}
      </Suspense>
      <Parts
        cv={base}
        document={document}
        findings={findings}
        saved={actions.saved}
        onRestored={actions.replace}
      />
    </EditingProvider>
  );
}
