import { Button } from "../button/button.tsx";
import type { Example } from "../example.ts";
import { createToaster } from "./toaster.ts";
import { Toasts } from "./toasts.tsx";

type ShownProps = { show: string; message: string; undo: string; close: string };

const toaster = createToaster();

function Shown({ show, message, undo, close }: ShownProps) {
  const action = { label: undo, onAction: () => undefined };
  return (
    <>
      <Button onClick={() => toaster.show({ text: message, action })}>{show}</Button>
      <Toasts toaster={toaster} closeLabel={close} />
    </>
  );
}

export const examples: readonly Example[] = [
  {
    name: "with an undo",
    draw: (text) => (
      <Shown
        show={text("Archive the link", "להעביר לארכיון")}
        message={text("The link is archived.", "הקישור בארכיון.")}
        undo={text("Undo", "לבטל")}
        close={text("Close the message", "לסגור את ההודעה")}
      />
    ),
  },
];
