import { useEffect, useRef, useState } from "react";

/** Prefix of the keys in session storage: what was typed and not sent, by account and form. */
const prefix = "draft:";

/** Values by the names of their fields. Passwords, codes and files are never kept. */
type Draft = Readonly<Record<string, string>>;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isKept = (control: Element): control is Control =>
  control instanceof HTMLTextAreaElement ||
  control instanceof HTMLSelectElement ||
  (control instanceof HTMLInputElement &&
    !["password", "file", "hidden", "checkbox", "radio"].includes(control.type) &&
    control.autocomplete !== "one-time-code" &&
    control.autocomplete !== "current-password");

const controlsOf = (form: HTMLFormElement): Control[] =>
  [...form.elements].filter(isKept).filter(({ name }) => name !== "");

function readDraft(key: string): Draft {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(key) ?? "{}");
    if (typeof draft !== "object" || draft === null) return {};
    return Object.fromEntries(
      Object.entries(draft).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value]] : [],
      ),
    );
  } catch {
    // Storage is blocked, or another value is stored.
    return {};
  }
}

function keep(key: string, form: HTMLFormElement): void {
  const values = controlsOf(form).map(({ name, value }) => [name, value]);
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(values)));
  } catch {
    // Storage is blocked or full: the text is in the form only.
  }
}

/** Fills in what was kept; returns whether anything differs from what the form had. */
function restore(key: string, form: HTMLFormElement): boolean {
  const draft = readDraft(key);
  const changed = controlsOf(form).map((control) => {
    const value = draft[control.name];
    if (value === undefined || value === control.value) return false;
    control.value = value;
    return true;
  });
  return changed.includes(true);
}

function remove(keys: readonly string[]): void {
  try {
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked: there is no draft.
  }
}

/** Forgets what was typed in every form, at sign-out. */
export function forgetDrafts(): void {
  try {
    remove(Object.keys(sessionStorage).filter((key) => key.startsWith(prefix)));
  } catch {
    // Storage is blocked: there is no draft.
  }
}

/**
 * What is typed in a form of the signed-in area outlives an expired sign-in, for as long as the tab
 * is open and for this account alone. `forget` when it was sent; `restored` while earlier values are
 * shown.
 */
export function useFormDraft(name: string, accountId: string) {
  const key = `${prefix}${accountId}:${name}`;
  const form = useRef<HTMLFormElement>(null);
  const [restored, setRestored] = useState(false);
  useEffect(() => {
    if (form.current !== null && restore(key, form.current)) setRestored(true);
  }, [key]);
  const forget = (): void => {
    remove([key]);
    setRestored(false);
  };
  const discard = (): void => {
    form.current?.reset();
    forget();
  };
  return {
    form,
    restored,
    onChange: (changed: HTMLFormElement) => keep(key, changed),
    forget,
    discard,
  };
}
