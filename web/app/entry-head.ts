import { readTheme, resolveTheme } from "../features/theme/theme.ts";
import { languageFromCookies, languageUnknownToServer } from "../i18n/chosen-language.ts";
import { rememberLanguage } from "../i18n/document-language.ts";
import { languageStorageKey } from "../i18n/languages.ts";
import { keepEarlyPress } from "./early-press.ts";
import { requestFaces } from "./first-faces.ts";
import { startAfterPaint } from "./start-after-paint.ts";

/**
 * Runs inline in the head, before the first paint. It puts the theme on the document, and where local
 * storage knows another language than the one the server could guess, it hands that language over in
 * a cookie and loads the page again. If cookies are blocked it does nothing: it would never end.
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
  // Blocked storage: the page shows itself as the server sent it.
}
requestFaces(document.fonts, document.title);
keepEarlyPress();
void startAfterPaint();
