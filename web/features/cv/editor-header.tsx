import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { AppIcon } from "../../ui/icon/app-icon.tsx";
import { SaveState } from "../documents/save/save-state.tsx";
import type { Step } from "../documents/save/saving-calls.ts";
import { isSaved, type SavingSnapshot } from "../documents/save/use-saving.ts";
import type { CvState } from "./cv-queries.ts";

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

type EditorHeaderProps = { cv: CvState; snapshot: SavingSnapshot; onStep: (step: Step) => void };

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
