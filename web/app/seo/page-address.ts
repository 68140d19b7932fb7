import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { fallbackLanguage } from "../../i18n/languages.ts";
import type { PageName, Route } from "../routes.ts";

/** Pages that make sense only to whoever was sent there. */
const unlisted: readonly PageName[] = [
  "not-found",
  "newsletter-confirm",
  "newsletter-confirmed",
  "newsletter-preferences",
  "answer",
];

/** Whether search engines may list the page. */
export function isListed(route: Route): boolean {
  return !unlisted.includes(route.page);
}

/**
 * The one address of a page in a language. Both languages are served at the clean path, by what the
 * visitor prefers; a search engine has no preference and finds English there. So the clean path
 * stands for English, and `?lang=he` for Hebrew, wherever the document was served.
 */
export function addressOf(path: string, language: Locale): string {
  return language === fallbackLanguage ? path : `${path}?lang=${language}`;
}
