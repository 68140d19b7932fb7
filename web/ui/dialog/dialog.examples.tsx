import { useState } from "react";

import { Button } from "../button/button.tsx";
import type { Example } from "../example.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { Dialog } from "./dialog.tsx";

type OpenedProps = { open: string; title: string; close: string; variant?: "sheet" | "panel" };

function Opened({ open, title, close, variant = "sheet" }: OpenedProps) {
  const [shown, setShown] = useState(false);
  const onClose = (): void => setShown(false);
  return (
    <>
      <Button onClick={() => setShown(true)}>{open}</Button>
      {shown && (
        <Dialog variant={variant} title={title} closeLabel={close} onClose={onClose}>
          <Button variant="solid" onClick={onClose}>
            {close}
          </Button>
        </Dialog>
      )}
    </>
  );
}

type AskedProps = {
  open: string;
  title: string;
  body: string;
  texts: { confirm: string; keep: string; close: string };
};

function Asked({ open, title, body, texts }: AskedProps) {
  const [shown, setShown] = useState(false);
  const onClose = (): void => setShown(false);
  return (
    <>
      <Button onClick={() => setShown(true)}>{open}</Button>
      {shown && (
        <ConfirmDialog title={title} texts={texts} onConfirm={onClose} onClose={onClose}>
          <p>{body}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

export const examples: readonly Example[] = [
  {
    name: "opened by a button, closed by Escape, the backdrop or its button",
    draw: (text) => (
      <Opened
        open={text("Open", "לפתוח")}
        title={text("A sheet above the page", "גיליון מעל העמוד")}
        close={text("Close", "לסגור")}
      />
    ),
  },
  {
    name: "a question before what cannot be undone",
    draw: (text) => (
      <Asked
        open={text("Remove the passkey", "להסיר את מפתח הגישה")}
        title={text("Remove the passkey Phone?", "להסיר את מפתח הגישה טלפון?")}
        body={text("It no longer opens your account.", "הוא לא יפתח עוד את החשבון.")}
        texts={{
          confirm: text("Remove it", "להסיר"),
          keep: text("Keep it", "להשאיר"),
          close: text("Close the question", "לסגור את השאלה"),
        }}
      />
    ),
  },
  {
    name: "a panel at the side",
    draw: (text) => (
      <Opened
        variant="panel"
        open={text("Open the panel", "לפתוח את הלוח")}
        title={text("Details of one open", "פרטי פתיחה אחת")}
        close={text("Close", "לסגור")}
      />
    ),
  },
];
