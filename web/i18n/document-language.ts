import type { Locale } from "@pro-talent/schemas/primitives/locale";

import {
  directionOf,
  languageCookie,
  languageCookieSeconds,
  languageStorageKey,
} from "./languages.ts";

/**
 * Puts the language and its direction on the document. What it has already is not set again, since
 * the browser would style every element anew.
 */
export function applyLanguage(root: HTMLElement, body: HTMLElement, language: Locale): void {
  if (root.lang !== language) root.lang = language;
  if (root.dir !== directionOf(language)) root.dir = directionOf(language);
  body.classList.toggle("rtl", directionOf(language) === "rtl");
}

/** Keeps the choice for a year. Where storage is blocked, the choice lasts as long as the page. */
export function rememberLanguage(language: Locale): void {
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${languageCookieSeconds}; samesite=lax`;
  try {
    localStorage.setItem(languageStorageKey, language);
  } catch {
    // Blocked storage is a choice of the visitor; the cookie alone carries the language then.
  }
}
