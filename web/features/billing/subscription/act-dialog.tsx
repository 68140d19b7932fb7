import { type MouseEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../../ui/button/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import type { Action, Trouble } from "../billing-calls.ts";
import { ChargeLines } from "../charge-lines.tsx";
import { useActionText } from "./action-texts.ts";

type ActDialogProps = {
  action: Action;
  before: Action | undefined;
  trouble: Trouble | undefined;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** The second step of an act: exactly what will happen, and the button that does it. */
export function ActDialog({ action, before, trouble, busy, onConfirm, onClose }: ActDialogProps) {
  const { t } = useTranslation(["subscription", "billing"]);
  const textOf = useActionText();
  const notice = useRef<HTMLDivElement>(null);
  const { title, effect, confirm } = textOf(action);
  const { quote } = action;
  const changed = before === undefined ? undefined : t("dialog.changed");
  // The second press of a double press on the button that opened this is no confirmation.
  const confirmOnce = ({ detail }: MouseEvent): void => {
    if (detail < 2) onConfirm();
  };
  useEffect(() => {
    if (trouble !== undefined || before !== undefined) notice.current?.focus();
  }, [trouble, before]);
  return (
    <Dialog title={title} closeLabel={t("dialog.close")} onClose={onClose}>
      <div className="act-dialog" aria-busy={busy}>
        <Notice kind="error" ref={notice}>
          {trouble === undefined ? changed : t(`billing:trouble.${trouble}`)}
        </Notice>
        <p>{effect}</p>
        {quote.act === "upgrade" && <ChargeLines terms={quote.terms} total={t("dialog.today")} />}
        <div className="act-dialog__actions">
          <Button variant="solid" disabled={busy} onClick={confirmOnce}>
            {busy ? t("dialog.busy") : confirm}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {t("dialog.keep")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
