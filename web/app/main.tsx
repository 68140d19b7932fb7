import "../styles/index.css";
import { StrictMode } from "react";

import { createBrowserTracker, listenToBrowser } from "../analytics/browser-tracking.ts";
import { readPrivacySignal } from "../analytics/privacy-signal.ts";
import { createApiClient } from "../api-client/request.ts";
import { leaveForSignIn, readToken } from "../api-client/token.ts";
import { connectConsent, createConsentActor } from "../features/consent/consent-actor.ts";
import { followDevice } from "../features/theme/theme-store.ts";
import { languageFromCookies } from "../i18n/chosen-language.ts";
import { applyLanguage } from "../i18n/document-language.ts";
import { fallbackLanguage, isLanguage } from "../i18n/languages.ts";
import { createTranslator } from "../i18n/words.ts";
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
  // Hydration must not wait: what the server drew is at hand before the first render.
  await loader.load(routeOf(location.pathname), language);
  // Drawing is a task of its own.
  await new Promise((resolve) => setTimeout(resolve));
  applyLanguage(document.documentElement, document.body, language);

  const signal = readPrivacySignal(navigator);
  const consent = createConsentActor(signal);
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const tracker = createBrowserTracker(api, (receiptId) => consent.keepReceipt(receiptId));
  connectAnalytics({ consent, tracker, translator, signal });
  connectConsent(consent);
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
  // After hydration has begun, since what it finds may change what is on screen.
  setTimeout(() => consent.start());
}

// A page out of the browser's cache may be older than the language chosen since.
window.addEventListener("pageshow", (event) => {
  const chosen = languageFromCookies(document.cookie);
  if (event.persisted && chosen && chosen !== document.documentElement.lang) location.reload();
});

const root = document.getElementById("root");
// Running all this code for the first time was a task of its own.
if (root) setTimeout(() => void main(root));
