import { useState } from "react";

import { Button } from "../button/button.tsx";
import type { Example } from "../example.ts";
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
