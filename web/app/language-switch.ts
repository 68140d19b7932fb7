import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { i18n } from "i18next";

import { applyLanguage, rememberLanguage } from "../i18n/document-language.ts";
import type { PageLoader } from "./page-loader.ts";
import { routeOf } from "./routes.ts";

/**
 * Switches the language in place: loads the words of the page on screen, then changes document,
 * memory and page in one go. The server sets the cookie as well, because some browsers forget
 * cookies that scripts set after a week.
 */
export function createLanguageSwitch(
  translator: i18n,
  loader: PageLoader,
): (language: Locale) => Promise<void> {
  return async (language) => {
    rememberLanguage(language);
    try {
      await loader.load(routeOf(location.pathname), language);
    } catch {
      // The words did not come: the server brings the page in the language that is now remembered.
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
