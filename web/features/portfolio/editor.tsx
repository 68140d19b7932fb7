import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { Tabs } from "../../ui/tabs/tabs.tsx";
import { type Editing, EditingProvider } from "../documents/edit/editing.ts";
import { useAdvice, useEditor } from "../documents/edit/use-editor.ts";
import { WritePanel } from "../documents/edit/write-panel.tsx";
import { draftKey } from "../documents/save/kept-edits.ts";
import { SaveState } from "../documents/save/save-state.tsx";
import { Steps } from "../documents/save/steps.tsx";
import { type Actions, useSaving } from "../documents/save/use-saving.ts";
import { useNarrow } from "../documents/use-narrow.ts";
import { usePart } from "../documents/use-part.ts";
import { lazyPart } from "../lazy-part.tsx";
import { PhotoPart } from "./photo-part.tsx";
import { findingsOf } from "./picture-findings.ts";
import {
  type Picture,
  type Portfolio,
  type PortfolioDocument,
  type PortfolioPage,
  portfolioQuery,
} from "./portfolio-queries.ts";
import { portfolioSaving } from "./portfolio-saving.ts";
import { PortfolioStatus } from "./status.tsx";
import { type Publishing, usePublishing } from "./use-publishing.ts";

const Conflicts = lazyPart(async () => (await import("../documents/save/conflicts.tsx")).Conflicts);
const PreviewPane = lazyPart(async () => (await import("./preview-pane.tsx")).PreviewPane);
const Gallery = lazyPart(async () => (await import("./gallery.tsx")).Gallery);
const LookPanel = lazyPart(async () => (await import("./look-panel.tsx")).LookPanel);
const PublishPanel = lazyPart(async () => (await import("./publish-panel.tsx")).PublishPanel);
const OpensPanel = lazyPart(async () => (await import("./opens-panel.tsx")).OpensPanel);
const VersionsPanel = lazyPart(async () => (await import("./versions-panel.tsx")).VersionsPanel);

const parts = ["write", "look", "page", "publish", "opens", "versions"] as const;

/** Passes a saved page on to what shows the whole portfolio. */
function useSavedPage() {
  const cache = useQueryClient();
  return useCallback(
    (page: PortfolioPage): void => {
      cache.setQueryData(portfolioQuery.queryKey, (known) => {
        if (known === undefined) return known;
        const others = known.portfolio.pages.filter(({ language }) => language !== page.language);
        return { portfolio: { ...known.portfolio, pages: [...others, page] } };
      });
    },
    [cache],
  );
}

type PartsProps = {
  portfolio: Portfolio;
  /** As it is saved, and as it is on the screen. */
  page: PortfolioPage;
  document: PortfolioDocument;
  actions: Actions<PortfolioPage>;
  publishing: Publishing;
};

/** The parts one at a time, and beside them the page. */
function Parts({ portfolio, page, document, actions, publishing }: PartsProps) {
  const { t } = useTranslation("portfolio");
  const narrow = useNarrow();
  const { part, show } = usePart(parts, narrow);
  const [version, setVersion] = useState<number>();
  const earlier = part === "versions" ? version : undefined;
  const pane = (
    <Suspense fallback={<Skeleton shape="block" count={2} />}>
      <PreviewPane document={document} version={earlier} />
    </Suspense>
  );
  const { language } = document;
  const contents: Readonly<Record<(typeof parts)[number], ReactNode>> = {
    write: (
      <WritePanel document={document}>
        <PhotoPart photo={document.profile.photo} />
      </WritePanel>
    ),
    look: <LookPanel document={document} mayCustomize={portfolio.mayCustomize} />,
    page: pane,
    publish: (
      <PublishPanel
        portfolio={portfolio}
        page={page}
        document={document}
        publishing={publishing}
        onWrite={() => show("write")}
      />
    ),
    opens: <OpensPanel />,
    versions: (
      <>
        <VersionsPanel page={page} shown={version} onShow={setVersion} saved={actions.saved} />
        {narrow && earlier !== undefined && pane}
      </>
    ),
  };
  return (
    <div className="cv-editor">
      <div className="cv-editor__form">
        <Tabs
          label={t(`parts.label.${language}`)}
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

const isPicture = (value: unknown): value is Picture =>
  typeof value === "object" && value !== null && "file" in value && "alt" in value;

/** Projects have a gallery below their fields. */
const galleryBelow: NonNullable<Editing["below"]> = ({ kind, entry, path }) => {
  if (kind !== "projects") return null;
  // One that was added here has none until it is saved.
  const own: unknown = "pictures" in entry ? entry.pictures : [];
  const pictures = Array.isArray(own) ? own.filter(isPicture) : [];
  return (
    <Suspense fallback={<Skeleton />}>
      <Gallery path={`${path}/pictures`} pictures={pictures} />
    </Suspense>
  );
};

type EditorProps = {
  portfolio: Portfolio;
  page: PortfolioPage;
  accountId: string;
  isOld: boolean;
  languages: ReactNode;
};

/** The form on one side, the page on the other; on a phone one at a time. */
export function Editor({ portfolio, page, accountId, isOld, languages }: EditorProps) {
  const { t } = useTranslation("portfolio");
  const saving = useMemo(() => portfolioSaving(), []);
  const { view, actions } = useSaving(page, {
    calls: saving.calls,
    keptAs: draftKey(accountId, `portfolio:${page.language}`),
    onSaved: useSavedPage(),
    isOld,
  });
  const { document, base, conflicts, status } = view;
  const { advice } = useAdvice(document, findingsOf);
  const { editing, live } = useEditor({
    edit: actions.edit,
    language: document.language,
    advice,
    below: galleryBelow,
  });
  const publishing = usePublishing(actions.saved);
  return (
    <EditingProvider value={editing}>
      <PageHeader
        title={t("title")}
        lead={<SaveState savedAt={base.savedAt} status={status} />}
        actions={
          <>
            <Steps
              // What is not saved yet can be taken back, too: it is saved first.
              canUndo={status !== "saved" || saving.can(base, "undo")}
              canRedo={saving.can(base, "redo")}
              onStep={actions.step}
            />
            {languages}
          </>
        }
      />
      <output className="visually-hidden" ref={live} />
      <PortfolioStatus portfolio={portfolio} publishing={publishing} />
      <Suspense fallback={null}>
        {conflicts.length > 0 && (
          <Conflicts conflicts={conflicts} document={document} onSettle={actions.settle} />
        )}
      </Suspense>
      <Parts
        portfolio={portfolio}
        page={base}
        document={document}
        actions={actions}
        publishing={publishing}
      />
    </EditingProvider>
  );
}
