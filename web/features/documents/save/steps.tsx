import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import type { Step } from "./saving-calls.ts";

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

type StepsProps = { canUndo: boolean; canRedo: boolean; onStep: (step: Step) => void };

/** The way back, and forward again, by buttons and keys. */
export function Steps({ canUndo, canRedo, onStep }: StepsProps) {
  const { t } = useTranslation("cv");
  useUndoKeys(onStep);
  return (
    <>
      <Button disabled={!canUndo} aria-keyshortcuts="Control+Z" onClick={() => onStep("undo")}>
        <AppIcon name="undo" />
        {t("undo")}
      </Button>
      <Button
        disabled={!canRedo}
        aria-keyshortcuts="Control+Shift+Z"
        onClick={() => onStep("redo")}
      >
        <AppIcon name="redo" />
        {t("redo")}
      </Button>
    </>
  );
}
