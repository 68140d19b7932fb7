import { localeOfTag } from "@pro-talent/schemas/primitives/language-tag";

import { readPrivacySignal } from "../analytics/privacy-signal.ts";
import { currentTerms } from "../features/consent/consent-choice.ts";
import { askEarly } from "../features/consent/early-banner.ts";
import { readTheme, resolveTheme } from "../features/theme/theme.ts";
import { languageFromCookies, languageOfBrowser } from "../i18n/chosen-language.ts";
import { rememberLanguage, requestLanguageOnce } from "../i18n/document-language.ts";
import { languageStorageKey } from "../i18n/languages.ts";
import { markAccount } from "./account-mark.ts";
import { keepEarlyClick } from "./early-click.ts";
import { requestFaces } from "./first-faces.ts";
import { startAfterPaint } from "./start-after-paint.ts";

function showTheme(root: HTMLElement): void {
  const deviceIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset["theme"] = resolveTheme(readTheme(), deviceIsDark);
}

/**
 * `?lang=` is a request to switch, which the server has answered: stores it like a choice and removes
 * it from the address, so that it does not overrule a later choice. Without cookies the address stays,
 * because nothing else could keep the language.
 * @returns whether the address named a supported language
 */
function keepRequestedLanguage(): boolean {
  const address = new URL(location.href);
  const requested = localeOfTag(address.searchParams.get("lang"));
  if (requested === undefined) return false;
  rememberLanguage(requested);
  if (languageFromCookies(document.cookie) === requested) {
    address.searchParams.delete("lang");
    history.replaceState(history.state, "", address);
  }
  return true;
}

/**
 * Local storage and the browser's list of languages are invisible to the server (specification §9).
 * If they select another language, passes it on in the cookie and reloads. Without cookies it does not
 * reload, because the reload would repeat forever.
 */
function reloadInUnknownLanguage(root: HTMLElement): void {
  if (languageFromCookies(document.cookie) !== undefined) return;
  const stored = localeOfTag(localStorage.getItem(languageStorageKey));
  const language = stored ?? languageOfBrowser(navigator.languages);
  if (language === undefined || language === root.lang) return;
  if (stored === undefined) requestLanguageOnce(language);
  else rememberLanguage(language);
  if (languageFromCookies(document.cookie) !== language) return;
  root.hidden = true;
  location.reload();
}

/** Runs inline in the head, before the first paint. */
function beforeFirstPaint(root: HTMLElement): void {
  root.classList.add("js");
  showTheme(root);
  markAccount(root);
  if (!keepRequestedLanguage()) reloadInUnknownLanguage(root);
}

try {
  beforeFirstPaint(document.documentElement);
} catch {
  // Storage is blocked: the page stays as the server sent it.
}
askEarly(currentTerms(readPrivacySignal(window)), () => localStorage);
requestFaces(document.fonts, document.title);
keepEarlyClick();
void startAfterPaint();
