import "../styles/index.css";
import { StrictMode } from "react";

import { createBrowserTracker, listenToBrowser } from "../analytics/browser-tracking.ts";
import { readPrivacySignal } from "../analytics/privacy-signal.ts";
import { connectConsent, createConsentStore } from "../features/consent/consent-store.ts";
import { followDevice } from "../features/theme/theme-store.ts";
import { languageFromCookies } from "../i18n/chosen-language.ts";
import { applyLanguage } from "../i18n/document-language.ts";
import { fallbackLanguage, isLanguage } from "../i18n/languages.ts";
import { createTranslator } from "../i18n/translations.ts";
import "../i18n/public-texts.ts";
import { Application } from "./application.tsx";
import { connectAnalytics } from "./connect-analytics.ts";
import { createLanguageSwitch } from "./language-switch.ts";
import { mount } from "./mount.ts";
import { PageLoader } from "./page-loader.ts";
import { routeOf } from "./routes.ts";
import { BrowserRouter } from "./routing.ts";

async function main(root: HTMLElement): Promise<void> {
  const served = document.documentElement.lang;
  const language = isLanguage(served) ? served : fallbackLanguage;
  const translator = createTranslator(language);
  const loader = new PageLoader(translator);
  // Hydration must not suspend, so the page is loaded before the first render.
  await loader.load(routeOf(location.pathname), language);
  // Render in a new task.
  await new Promise((resolve) => setTimeout(resolve));
  applyLanguage(document.documentElement, document.body, language);

  const consent = createConsentStore(readPrivacySignal(window));
  const tracker = createBrowserTracker(
    (receiptId) => void consent.send({ type: "receipt.arrived", receiptId }),
  );
  listenToBrowser(tracker);
  followDevice();

  const switchLanguage = createLanguageSwitch(translator, loader);
  const host = { loader, consent, tracker, switchLanguage, year: new Date().getFullYear() };
  const application = (
    <StrictMode>
      <BrowserRouter>
        <Application translator={translator} host={host} />
      </BrowserRouter>
    </StrictMode>
  );
  mount(root, application);
  // In a new task, after the start of hydration.
  setTimeout(() => {
    connectAnalytics({ consent, tracker, translator });
    connectConsent(consent);
  });
}

// A page restored from the browser's cache may show an earlier language.
window.addEventListener("pageshow", (event) => {
  const chosen = languageFromCookies(document.cookie);
  if (event.persisted && chosen && chosen !== document.documentElement.lang) location.reload();
});

const root = document.getElementById("root");
// The first run of this code was a task; continue in a new one.
if (root) setTimeout(() => void main(root));
