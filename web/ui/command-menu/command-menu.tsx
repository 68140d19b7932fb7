import { type ReactNode, useEffect, useState } from "react";

import { AppIcon } from "../icon/app-icon.tsx";

import "./command-menu.css";

type CommandMenuProps = {
  label: string;
  /** The button is about to be pressed: what the panel needs can be loaded. */
  onPrepare: () => void;
  /** Drawn while it is open, as with `CommandPanel`. */
  renderPanel: (close: () => void) => ReactNode;
};

const shortcut = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** By the key's position, since Hebrew keyboards have another character on it. */
const isShortcut = (event: KeyboardEvent): boolean =>
  event.code === "KeyK" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;

/**
 * The button of the top bar that finds every page and action by its name; Ctrl+K or ⌘K opens it
 * from anywhere.
 */
export function CommandMenu({ label, onPrepare, renderPanel }: CommandMenuProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="command-menu"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={onPrepare}
        onFocus={onPrepare}
        onClick={() => setOpen(true)}
      >
        <AppIcon name="search" />
        <span className="command-menu__label">{label}</span>
        <kbd className="command-menu__keys" dir="ltr" aria-hidden="true">
          {shortcut}
        </kbd>
      </button>
      {open && renderPanel(() => setOpen(false))}
    </>
  );
}
