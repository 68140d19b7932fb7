import { useLayoutEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Switch } from "../../ui/switch/switch.tsx";

/** Single keys of the console. Each presses the control that carries it, so that none does what is not shown. */
const keys = {
  next: "J",
  previous: "K",
  find: "/",
  back: "U",
  claim: "T",
  approve: "A",
  deny: "D",
  extend: "E",
  hold: "H",
  retry: "R",
  help: "?",
} as const;
export type Shortcut = keyof typeof keys;

const storageKey = "console-shortcuts";
const changes = new EventTarget();
const isOn = (): boolean => localStorage.getItem(storageKey) !== "off";
function setOn(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, "off");
  changes.dispatchEvent(new Event("change"));
}
const subscribe = (changed: () => void) => {
  changes.addEventListener("change", changed);
  return () => changes.removeEventListener("change", changed);
};
const useIsOn = (): boolean => useSyncExternalStore(subscribe, isOn);

/** The attribute of the control that a key presses; none while the keys are switched off. */
export function useShortcut() {
  const on = useIsOn();
  return (of: Shortcut) => (on ? { "aria-keyshortcuts": keys[of] } : {});
}

/** By the character, or by the position where a keyboard has no Latin letters. */
function keyOf(event: KeyboardEvent): string {
  if (/^[a-z]$/iu.test(event.key)) return event.key.toUpperCase();
  if (event.key === keys.help || event.key === keys.find) return event.key;
  if (event.code === "Slash") return event.shiftKey ? keys.help : keys.find;
  return event.code.replace(/^Key/u, "");
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;

/** Moves focus through the requests that are listed. */
function move(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>("main .privacy-queue__open")];
  const from = links.findIndex((link) => link === document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, from + step))]?.focus();
}

function press(key: string): boolean {
  const control = document.querySelector<HTMLElement>(
    `main [aria-keyshortcuts="${key}"]:not(:disabled)`,
  );
  if (control === null) return false;
  if (control instanceof HTMLInputElement) control.focus();
  else control.click();
  return true;
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!isOn() || isTyping(event.target)) return;
  const key = keyOf(event);
  if (key === keys.next || key === keys.previous) move(key === keys.next ? 1 : -1);
  else if (!event.repeat && press(key)) event.preventDefault();
}

type ListProps = { of: readonly Shortcut[]; onClose: () => void };

function ShortcutList({ of, onClose }: ListProps) {
  const { t } = useTranslation("privacy-console");
  const on = useIsOn();
  return (
    <Dialog title={t("shortcuts.title")} closeLabel={t("shortcuts.close")} onClose={onClose}>
      <dl className="shortcuts">
        {of.map((one) => (
          <div key={one}>
            <dt>
              <kbd dir="ltr">{keys[one]}</kbd>
            </dt>
            <dd>{t(`shortcuts.${one}`)}</dd>
          </div>
        ))}
      </dl>
      <Switch
        name={t("shortcuts.on")}
        body={t("shortcuts.onBody")}
        checked={on}
        onToggle={() => setOn(!on)}
      />
    </Dialog>
  );
}

/** Listens for the keys of a page, and lists them; they can be switched off (WCAG 2.1.4). */
export function Shortcuts({ of }: { of: readonly Shortcut[] }) {
  const { t } = useTranslation("privacy-console");
  const [isOpen, setIsOpen] = useState(false);
  const shortcut = useShortcut();
  // Before the page is painted: a key works as soon as its control is seen.
  useLayoutEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <div className="shortcuts__open">
      <Button
        variant="text"
        aria-haspopup="dialog"
        {...shortcut("help")}
        onClick={() => setIsOpen(true)}
      >
        {t("shortcuts.title")}
      </Button>
      {isOpen && <ShortcutList of={of} onClose={() => setIsOpen(false)} />}
    </div>
  );
}
