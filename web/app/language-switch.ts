import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { i18n } from "i18next";

import { applyLanguage, rememberLanguage } from "../i18n/document-language.ts";
import type { PageLoader } from "./page-loader.ts";
import { routeOf } from "./routes.ts";

/**
 * Switches the language in place: loads the texts of the page, then updates document, storage and
 * page together. The server sets the cookie too, because some browsers delete cookies set by
 * scripts after a week.
 */
export function createLanguageSwitch(
  translator: i18n,
  loader: PageLoader,
): (language: Locale) => Promise<void> {
  return async (language) => {
    rememberLanguage(language);
    try {
      await loader.loadWhole(routeOf(location.pathname), language);
    } catch {
      // The texts did not load: the reload brings the page in the stored language.
      location.reload();
      return;
    }
    applyLanguage(document.documentElement, document.body, language);
    await translator.changeLanguage(language);
    await fetch("/lang", {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ lang: language }),
    }).catch(() => undefined);
  };
}
