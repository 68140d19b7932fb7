import type { Entry } from "./subscription.ts";

/** What stands in the form now. The browser keeps it; nothing is lost while code is being fetched. */
export function readEntry(form: HTMLFormElement): Entry {
  const data = new FormData(form);
  const text = (name: string): string => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return { email: text("email"), consent: data.has("consentText"), website: text("website") };
}
