import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";

import { Icon } from "../icon/icon.tsx";

import "./dialog.css";

type DialogProps = {
  /** `panel`: at the end of the screen and as high as it, beside what it is about. */
  variant?: "sheet" | "panel";
  title: string;
  closeLabel: string;
  onClose: () => void;
  /** A press beside the dialog; closes it like its button if not given. */
  onBackdrop?: () => void;
  children: ReactNode;
};

/**
 * A modal `<dialog>`, open while rendered. The browser keeps focus inside, closes on Escape and
 * returns focus.
 */
export function Dialog(props: DialogProps) {
  const { variant = "sheet", title, closeLabel, onClose, onBackdrop = onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  // In a layout effect, because closing must return focus before React removes the element.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      const { activeElement } = document;
      if (activeElement !== document.body && element?.contains(activeElement) !== true) return;
      // The element that opened the dialog no longer exists, or is hidden.
      document.querySelector("main")?.focus({ preventScroll: true });
    };
  }, []);

  const onClick = (event: MouseEvent): void => {
    // The sheet covers the dialog, so a click on the element itself is on its backdrop.
    if (event.target === dialog.current) onBackdrop();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the keyboard's way out; see onCancel
    <dialog
      ref={dialog}
      className={variant === "panel" ? "dialog dialog--panel" : "dialog"}
      aria-labelledby={titleId}
      onClick={onClick}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog__sheet">
        <div className="dialog__head">
          <h2 className="dialog__title" id={titleId}>
            {title}
          </h2>
          <button type="button" className="dialog__close" aria-label={closeLabel} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
