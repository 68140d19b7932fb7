import type { Entry } from "./subscribe.ts";

/** The current values. The browser holds them, so nothing is lost while code loads. */
export function readEntry(form: HTMLFormElement): Entry {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return { email: text("email"), consent: data.has("consentText"), website: text("website") };
}
