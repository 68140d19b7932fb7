import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { SnapshotFrom } from "xstate";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import { useAccount } from "../account-query.ts";
import type { CvState } from "./cv-queries.ts";
import type { Step } from "./save/saving-calls.ts";
import type { savingMachine } from "./save/saving.machine.ts";
import { isSaved } from "./save/use-saving.ts";

type Snapshot = SnapshotFrom<typeof savingMachine>;

/** How much of what was typed is with the server, in words. */
function SaveState({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useTranslation("cv");
  const language = useLanguage();
  const { timeZone } = useAccount().profile;
  const { base, tooLong } = snapshot.context;
  const at = new Intl.DateTimeFormat(language, {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(base.savedAt));
  const words = (): { kind: string; text: string } => {
    if (snapshot.matches("deleted")) return { kind: "trouble", text: t("save.deleted") };
    if (snapshot.matches("refused"))
      return { kind: "trouble", text: t(tooLong ? "save.tooLong" : "save.refused") };
    if (snapshot.matches("waiting"))
      return {
        kind: "trouble",
        text: t(navigator.onLine ? "save.unreached" : "save.offline", { time: at }),
      };
    if (isSaved(snapshot)) return { kind: "saved", text: t("save.saved", { time: at }) };
    return { kind: "saving", text: t("save.saving") };
  };
  const { kind, text } = words();
  return (
    <output className="cv-save" data-kind={kind}>
      {text}
    </output>
  );
}

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("input:not([type=checkbox], [type=radio]), textarea"));

/** Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) outside of fields, which have an undo of their own. */
function useUndoKeys(onStep: (step: Step) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const withCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      const isKey = event.code === "KeyZ" || event.code === "KeyY";
      if (!withCommand || !isKey || isText(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      onStep(event.code === "KeyY" || event.shiftKey ? "redo" : "undo");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onStep]);
}

type EditorHeaderProps = { cv: CvState; snapshot: Snapshot; onStep: (step: Step) => void };

/** The name of the CV, how it is saved, and the way back. */
export function EditorHeader({ cv, snapshot, onStep }: EditorHeaderProps) {
  const { t } = useTranslation("cv");
  useUndoKeys(onStep);
  // What is not saved yet can be taken back, too: it is saved first.
  const canUndo = cv.canUndo || !isSaved(snapshot);
  return (
    <PageHeader
      breadcrumb={<Link to="/cv">{t("title")}</Link>}
      title={<bdi>{cv.title}</bdi>}
      lead={<SaveState snapshot={snapshot} />}
      actions={
        <>
          <Button disabled={!canUndo} aria-keyshortcuts="Control+Z" onClick={() => onStep("undo")}>
            <AppIcon name="undo" />
            {t("undo")}
          </Button>
          <Button
            disabled={!cv.canRedo}
            aria-keyshortcuts="Control+Shift+Z"
            onClick={() => onStep("redo")}
          >
            <AppIcon name="redo" />
            {t("redo")}
          </Button>
        </>
      }
    />
  );
}
