import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { fallbackLanguage } from "../../i18n/languages.ts";
import type { PageName, Route } from "../routes.ts";

/** Pages that are reached only through a mail or a form. */
const unlisted: readonly PageName[] = [
  "not-found",
  "newsletter-confirm",
  "newsletter-confirmed",
  "newsletter-preferences",
  "newsletter-never",
  "answer",
  "privacy-status",
  "deletion-certificate",
];

export function isListed(route: Route): boolean {
  return !unlisted.includes(route.page);
}

/**
 * Canonical path of a page in a language: the clean path for English, `?lang=he` for Hebrew. The
 * clean path is served in the preferred language, and search engines, which state none, get
 * English.
 */
export function addressOf(path: string, language: Locale): string {
  return language === fallbackLanguage ? path : `${path}?lang=${language}`;
}
