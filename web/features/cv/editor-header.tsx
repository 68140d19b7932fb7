import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import type { SavingStatus } from "../documents/save/document-saving.ts";
import { SaveState } from "../documents/save/save-state.tsx";
import type { Step } from "../documents/save/saving-calls.ts";
import { Steps } from "../documents/save/steps.tsx";
import type { CvState } from "./cv-queries.ts";

type EditorHeaderProps = { cv: CvState; status: SavingStatus; onStep: (step: Step) => void };

/** The name of the CV, how it is saved, and the way back. */
export function EditorHeader({ cv, status, onStep }: EditorHeaderProps) {
  const { t } = useTranslation("cv");
  // What is not saved yet can be taken back, too: it is saved first.
  const canUndo = cv.canUndo || status !== "saved";
  return (
    <PageHeader
      breadcrumb={<Link to="/cv">{t("title")}</Link>}
      title={<bdi>{cv.title}</bdi>}
      lead={<SaveState savedAt={cv.savedAt} status={status} />}
      actions={<Steps canUndo={canUndo} canRedo={cv.canRedo} onStep={onStep} />}
    />
  );
}
