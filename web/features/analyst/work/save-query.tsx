import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { isolated } from "../../isolated.ts";
import { toaster } from "../../toaster.ts";
import { Difference } from "./difference.tsx";
import { useSaving } from "./work-acts.ts";
import {
  type Content,
  type Origin,
  type QueryContent,
  savedWorkQuery,
  type SavedWork,
} from "./work-queries.ts";
import { useRefusalText } from "./work-texts.ts";

const TitleDialog = lazy(async () => ({
  default: (await import("./work-dialogs.tsx")).TitleDialog,
}));

/** `newer`: it was not saved, since a newer version was saved meanwhile. */
type Outcome = "saved" | "newer" | "refused";

/**
 * Saves a next version of something saved. When there is a newer one, it is fetched and nothing is
 * written: `newer` is there until it was decided which one counts.
 */
export function useNextVersion(origin: Origin | undefined, onSaved: (saved: SavedWork) => void) {
  const { t } = useTranslation("analyst-work");
  const cache = useQueryClient();
  const refusal = useRefusalText();
  const { saveVersion } = useSaving();
  const [newer, setNewer] = useState<SavedWork>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const onRefused = async (workId: string, code: string | undefined): Promise<Outcome> => {
    const found =
      code === "work_changed"
        ? await cache.query({ ...savedWorkQuery(workId), staleTime: 0 }).catch(() => undefined)
        : undefined;
    if (found === undefined) setFault(refusal(code));
    else setNewer(found.saved);
    return found === undefined ? "refused" : "newer";
  };
  const onStored = (saved: SavedWork): Outcome => {
    setNewer(undefined);
    toaster.show({ text: t("save.done", { version: saved.version }) });
    onSaved(saved);
    return "saved";
  };
  /** @param version after which it is the next; without one, that from which it began */
  const save = async (content: Content, version = origin?.version): Promise<Outcome> => {
    if (origin === undefined || version === undefined || busy) return "refused";
    setBusy(true);
    setFault(undefined);
    const stored = await saveVersion(origin.workId, version, content);
    const outcome = stored.ok
      ? onStored(stored.saved)
      : await onRefused(origin.workId, stored.code);
    setBusy(false);
    return outcome;
  };
  return { save, busy, fault, newer, settle: () => setNewer(undefined) };
}

type ConflictProps = {
  newer: SavedWork;
  lead: string;
  busy: boolean;
  onMine: () => void;
  onCopy?: (() => void) | undefined;
  onTheirs: () => void;
  children?: ReactNode;
};

/** A newer version was saved meanwhile: both are kept until it is decided which one counts. */
export function Conflict(props: ConflictProps) {
  const { newer, lead, busy, onMine, onCopy, onTheirs, children } = props;
  const { t } = useTranslation("analyst-work");
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), [newer.version]);
  return (
    <section ref={section} className="conflict" aria-labelledby="conflict-title" tabIndex={-1}>
      <h2 id="conflict-title">{t("conflict.title", { version: newer.version })}</h2>
      <p>{lead}</p>
      {children}
      <div className="work-acts">
        <Button variant="solid" disabled={busy} onClick={onMine}>
          {t("conflict.mine", { version: newer.version + 1 })}
        </Button>
        {onCopy !== undefined && <Button onClick={onCopy}>{t("conflict.copy")}</Button>}
        <Button onClick={onTheirs}>{t("conflict.theirs", { version: newer.version })}</Button>
      </div>
    </section>
  );
}

type SaveQueryProps = {
  content: QueryContent;
  /** Undefined while it was never saved. */
  origin: Origin | undefined;
  /** Whether it differs from what is saved. */
  isChanged: boolean;
  /** Saved as a next version, or as a query of its own. */
  onSaved: (saved: SavedWork) => void;
  /** What is to be edited from now on, and the version from which it begins. */
  onContent: (content: QueryContent, version: number) => void;
  /** Beside the buttons. */
  actions?: ReactNode;
};

type ButtonsProps = Pick<SaveQueryProps, "origin" | "isChanged" | "actions"> & {
  busy: boolean;
  isEmpty: boolean;
  onSave: () => void;
  onSaveAs: () => void;
};

function Buttons(props: ButtonsProps) {
  const { origin, isChanged, actions, busy, isEmpty, onSave, onSaveAs } = props;
  const { t } = useTranslation("analyst-work");
  return (
    <div className="work-acts">
      {origin !== undefined && (
        <Button disabled={busy || isEmpty || !isChanged} onClick={onSave}>
          {t(busy ? "save.saving" : "save.action")}
        </Button>
      )}
      <Button disabled={isEmpty} onClick={onSaveAs}>
        {t(origin === undefined ? "save.first" : "save.as")}
      </Button>
      {actions}
    </div>
  );
}

type SaveAsProps = Pick<SaveQueryProps, "content" | "onSaved"> & { onClose: () => void };

function SaveAs({ content, onSaved, onClose }: SaveAsProps) {
  const { t } = useTranslation("analyst-work");
  const refusal = useRefusalText();
  const { create } = useSaving();
  const onTitle = async (title: string): Promise<string | undefined> => {
    const stored = await create(title, content);
    if (!stored.ok) return refusal(stored.code);
    toaster.show({ text: t("save.doneNew", { title: isolated(stored.saved.title) }) });
    onSaved(stored.saved);
    return undefined;
  };
  return (
    <TitleDialog
      heading={t("save.asTitle")}
      submit={t("save.action")}
      onTitle={onTitle}
      onClose={onClose}
    />
  );
}

/** Saves a query: a next version, or one of its own. The console can show it below its editor. */
export function SaveQuery(props: SaveQueryProps) {
  const { content, origin, onSaved, onContent } = props;
  const { t } = useTranslation("analyst-work");
  const next = useNextVersion(origin, onSaved);
  const [isNaming, setIsNaming] = useState(false);
  const newer = next.newer?.content.kind === "query" ? next.newer : undefined;
  const theirs = newer?.content.kind === "query" ? newer.content : undefined;
  const onCopied = (saved: SavedWork): void => {
    setIsNaming(false);
    next.settle();
    onSaved(saved);
  };
  const take = (taken: QueryContent, version: number): void => {
    next.settle();
    onContent(taken, version);
    const action = { label: t("conflict.back"), onAction: () => onContent(content, version) };
    toaster.show({ text: t("conflict.left"), action });
  };
  return (
    <div className="save-query">
      {newer !== undefined && theirs !== undefined && origin !== undefined && (
        <Conflict
          newer={newer}
          lead={t("conflict.lead", { mine: origin.version })}
          busy={next.busy}
          onMine={() => void next.save(content, newer.version)}
          onCopy={() => setIsNaming(true)}
          onTheirs={() => take(theirs, newer.version)}
        >
          <Difference
            label={t("conflict.texts", { version: newer.version })}
            earlier={theirs.text}
            later={content.text}
          />
        </Conflict>
      )}
      <Notice kind="error">{next.fault}</Notice>
      {newer === undefined && (
        <Buttons
          {...props}
          busy={next.busy}
          isEmpty={content.text.trim() === ""}
          onSave={() => void next.save(content)}
          onSaveAs={() => setIsNaming(true)}
        />
      )}
      <Suspense>
        {isNaming && (
          <SaveAs content={content} onSaved={onCopied} onClose={() => setIsNaming(false)} />
        )}
      </Suspense>
    </div>
  );
}
