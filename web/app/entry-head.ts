import { readPrivacySignal } from "../analytics/privacy-signal.ts";
import { currentTerms } from "../features/consent/consent-choice.ts";
import { askEarly } from "../features/consent/early-banner.ts";
import { readTheme, resolveTheme } from "../features/theme/theme.ts";
import { languageFromCookies, languageUnknownToServer } from "../i18n/chosen-language.ts";
import { rememberLanguage } from "../i18n/document-language.ts";
import { languageStorageKey } from "../i18n/languages.ts";
import { keepEarlyClick } from "./early-click.ts";
import { requestFaces } from "./first-faces.ts";
import { startAfterPaint } from "./start-after-paint.ts";

/**
 * Runs inline in the head, before the first paint. It sets the theme. If local storage has another
 * language than the server could know, it copies that language to the cookie and reloads. Without
 * cookies it does not reload, because the reload would repeat forever.
 */
function beforeFirstPaint(): void {
  const root = document.documentElement;
  root.classList.add("js");
  root.dataset["theme"] = resolveTheme(
    readTheme(),
    matchMedia("(prefers-color-scheme: dark)").matches,
  );
  if (new URLSearchParams(location.search).has("lang")) return;
  const stored = languageUnknownToServer(document.cookie, localStorage.getItem(languageStorageKey));
  if (stored === undefined || stored === root.lang) return;
  rememberLanguage(stored);
  if (languageFromCookies(document.cookie) !== stored) return;
  root.hidden = true;
  location.reload();
}

try {
  beforeFirstPaint();
} catch {
  // Storage is blocked: the page stays as the server sent it.
}
askEarly(currentTerms(readPrivacySignal(window)), () => localStorage);
requestFaces(document.fonts, document.title);
keepEarlyClick();
void startAfterPaint();
