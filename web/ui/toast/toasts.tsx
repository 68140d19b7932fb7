import { useEffect, useState, useSyncExternalStore } from "react";

import { Button } from "../button/button.tsx";
import { Icon } from "../icon/icon.tsx";
import type { Toaster } from "./toaster.ts";

import "./toasts.css";

type ToastsProps = {
  toaster: Toaster;
  closeLabel: string;
  /** How long a toast stays. One with an action stays twice as long. */
  stayMs?: number;
};

/**
 * The toasts of an application, rendered once, after the page. They are announced and leave on their
 * own, but never under the pointer or with focus inside. An error is never only in a toast.
 */
export function Toasts({ toaster, closeLabel, stayMs = 5000 }: ToastsProps) {
  const toasts = useSyncExternalStore(toaster.subscribe, toaster.shown, toaster.shown);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const oldest = toasts[0];

  useEffect(() => {
    if (oldest === undefined || hovered || focused) return undefined;
    const due = oldest.action === undefined ? stayMs : 2 * stayMs;
    const timer = setTimeout(() => toaster.dismiss(oldest.id), due);
    return () => clearTimeout(timer);
  }, [toaster, oldest, hovered, focused, stayMs]);

  const dismiss = (id: number): void => {
    // What had focus is removed, and an element that is removed sends no blur.
    setFocused(false);
    toaster.dismiss(id);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they pause its timer and do nothing else
    <output
      className="toasts"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {toasts.map(({ id, text, action }) => (
        <span key={id} className="toasts__toast">
          <span className="toasts__text">{text}</span>
          {action !== undefined && (
            <Button
              variant="text"
              onClick={() => {
                action.onAction();
                dismiss(id);
              }}
            >
              {action.label}
            </Button>
          )}
          <button
            type="button"
            className="toasts__close"
            aria-label={closeLabel}
            onClick={() => dismiss(id)}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
    </output>
  );
}
