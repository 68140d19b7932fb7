import type { ReactNode } from "react";

import { Button } from "../button/button.tsx";
import { Dialog } from "./dialog.tsx";

import "./confirm-dialog.css";

type ConfirmDialogProps = {
  /** Asks, and names what is removed. */
  title: string;
  /** What follows from it. */
  children: ReactNode;
  texts: { confirm: string; keep: string; close: string };
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before what cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, texts, busy = false, onConfirm, onClose } = props;
  return (
    <Dialog title={title} closeLabel={texts.close} onClose={onClose}>
      <div className="confirm-dialog">
        {children}
        <div className="confirm-dialog__actions">
          <Button variant="solid" disabled={busy} onClick={onConfirm}>
            {texts.confirm}
          </Button>
          <Button onClick={onClose}>{texts.keep}</Button>
        </div>
      </div>
    </Dialog>
  );
}
