import type { Locator, Page } from "playwright-core";
import { vi } from "vitest";

import type { Visitor } from "./fixtures.ts";

export const consentTexts = {
  en: {
    accept: "Accept all",
    reject: "Reject all",
    choose: "Settings",
    settings: "Cookie settings",
    analytics: "Analytics",
    save: "Save my choice",
    about: "About",
  },
  he: {
    accept: "לאשר הכול",
    reject: "לדחות הכול",
    choose: "הגדרות",
    settings: "הגדרות עוגיות",
    analytics: "מדידה",
    save: "לשמור את הבחירה",
    about: "אודות",
  },
} as const;

export const banner = (page: Page): Locator => page.locator(".consent-banner");
export const dialog = (page: Page): Locator => page.getByRole("dialog");
export const button = (within: Page | Locator, name: string): Locator =>
  within.getByRole("button", { name, exact: true });
export const eventually = (check: () => Promise<void> | void) =>
  vi.waitFor(check, { timeout: 10_000, interval: 50 });

type Stored = { local: string[]; tab: string[]; cookies: string };
export const stored = (page: Page): Promise<Stored> =>
  page.evaluate(() => ({
    local: Object.keys(localStorage).toSorted(),
    tab: Object.keys(sessionStorage),
    cookies: document.cookie,
  }));

export async function openHome(visitor: Visitor): Promise<Page> {
  await visitor.open("/");
  await banner(visitor.page).waitFor();
  return visitor.page;
}
