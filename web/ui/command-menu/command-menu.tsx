import { lazy, Suspense, useEffect, useState } from "react";

import { AppIcon } from "../icon/app-icon.tsx";
import type { CommandGroup, CommandTexts } from "./command-panel.tsx";

import "./command-menu.css";

const load = () => import("./command-panel.tsx");
const CommandPanel = lazy(async () => ({ default: (await load()).CommandPanel }));

type CommandMenuProps = {
  texts: CommandTexts;
  groups: readonly CommandGroup[];
  /** Receives the id of the chosen command. */
  onRun: (id: string) => void;
};

const shortcut = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** By the key's position, since Hebrew keyboards have another character on it. */
const isShortcut = (event: KeyboardEvent): boolean =>
  event.code === "KeyK" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;

/**
 * The button of the top bar that finds every page and action by its name; Ctrl+K or ⌘K opens it
 * from anywhere. The panel's code is loaded with its first use.
 */
export function CommandMenu({ texts, groups, onRun }: CommandMenuProps) {
  const [open, setOpen] = useState(false);
  const prepare = (): void => {
    // A failure is shown when the menu is opened.
    load().catch(() => undefined);
  };
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
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        <AppIcon name="search" />
        <span className="command-menu__label">{texts.open}</span>
        <kbd className="command-menu__keys" dir="ltr" aria-hidden="true">
          {shortcut}
        </kbd>
      </button>
      {open && (
        <Suspense>
          <CommandPanel
            texts={texts}
            groups={groups}
            onClose={() => setOpen(false)}
            onRun={(id) => {
              setOpen(false);
              onRun(id);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
