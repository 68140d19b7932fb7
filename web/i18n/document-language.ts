import type { Locale } from "@pro-talent/schemas/primitives/locale";

import {
  directionOf,
  languageCookie,
  languageCookieSeconds,
  languageStorageKey,
} from "./languages.ts";

/**
 * Sets language and direction. Unchanged values are not set, because the browser would style every
 * element again.
 */
export function applyLanguage(root: HTMLElement, body: HTMLElement, language: Locale): void {
  if (root.lang !== language) root.lang = language;
  if (root.dir !== directionOf(language)) root.dir = directionOf(language);
  body.classList.toggle("rtl", directionOf(language) === "rtl");
}

/** Stores the choice for a year. */
export function rememberLanguage(language: Locale): void {
  document.cookie = `${languageCookie}=${language}; path=/; max-age=${languageCookieSeconds}; samesite=lax`;
  try {
    localStorage.setItem(languageStorageKey, language);
  } catch {
    // Storage is blocked: only the cookie has the language.
  }
}

/**
 * Sends the browser's own language to the server until the browser closes. Not stored like a choice:
 * the browser's settings may change.
 */
export function requestLanguageOnce(language: Locale): void {
  document.cookie = `${languageCookie}=${language}; path=/; samesite=lax`;
}
