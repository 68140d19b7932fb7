import { contactLimits } from "@pro-talent/schemas/contact/limits";

/** Key in session storage of a message that was not sent yet. */
export const contactDraftKey = "contact-draft";
/** Category before subject: a change of the category clears it. Never the honeypot. */
const draftFields = ["name", "email", "subjectCategory", "subject", "message"] as const;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controlOf(form: HTMLFormElement, field: string): Control | undefined {
  const element = form.elements.namedItem(field);
  const known =
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement;
  return known ? element : undefined;
}

/** Keeps what is written for as long as the tab is open. */
export function keepDraft(form: HTMLFormElement): void {
  const values = draftFields.map((field) => [field, controlOf(form, field)?.value ?? ""]);
  try {
    sessionStorage.setItem(contactDraftKey, JSON.stringify(Object.fromEntries(values)));
  } catch {
    // Storage is blocked or full: the text is in the form only.
  }
}

export function forgetDraft(): void {
  try {
    sessionStorage.removeItem(contactDraftKey);
  } catch {
    // Storage is blocked: there is no draft.
  }
}

function readDraft(): Readonly<Record<string, unknown>> {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(contactDraftKey) ?? "{}");
    return typeof draft === "object" && draft !== null ? { ...draft } : {};
  } catch {
    return {};
  }
}

/** Fills empty fields from the draft; returns whether anything is written in the form. */
export function restoreDraft(form: HTMLFormElement): boolean {
  const draft = readDraft();
  const written = draftFields.map((field) => {
    const control = controlOf(form, field);
    const kept = draft[field];
    if (control?.value === "" && typeof kept === "string") control.value = kept;
    return (control?.value ?? "") !== "";
  });
  return written.includes(true);
}

/** Measures how long a visitor has been writing. */
export type WritingClock = {
  /** A key or a change; only the first one counts. */
  touched: () => void;
  /** Typing began before the measurement: the time stays unknown. */
  missed: () => void;
  /** Starts the next message. */
  reset: () => void;
  /** Whole milliseconds since the first touch, if known. */
  passed: () => number | undefined;
};

/** `now` is a monotonic clock in milliseconds. */
export function startWritingClock(now: () => number): WritingClock {
  let begun: number | "missed" | undefined;
  return {
    touched: () => {
      begun ??= now();
    },
    missed: () => {
      begun = "missed";
    },
    reset: () => {
      begun = undefined;
    },
    passed: () => {
      if (begun === undefined || begun === "missed") return undefined;
      const passed = Math.round(now() - begun);
      return passed > contactLimits.writingMsMax ? undefined : passed;
    },
  };
}
