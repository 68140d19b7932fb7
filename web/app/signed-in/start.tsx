import "../../styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { createBrowserRouter, RouterProvider } from "react-router-dom";

import { followDevice } from "../../features/theme/theme-store.ts";
import { fallbackLanguage, isLanguage } from "../../i18n/languages.ts";
import { createTranslator, loadTranslations } from "../../i18n/translations.ts";
import { startedEvent } from "../early-click.ts";
import { prefetchLinks } from "../link-prefetch.ts";
import { fetchPersistently, reloadOnce } from "../loading-failure.ts";
import { followOtherTabs, queryClient } from "./query-client.ts";
import { prefetchRoute } from "./route-texts.ts";
import { createRoutes, type Features } from "./routes.tsx";

async function render(root: HTMLElement, features: Features): Promise<void> {
  const served = document.documentElement.lang;
  const language = isLanguage(served) ? served : fallbackLanguage;
  const translator = createTranslator(language);
  await fetchPersistently(() =>
    loadTranslations(translator, language, ["shell", "account", "not-found"]),
  );
  const routes = createRoutes(translator, features);
  const router = createBrowserRouter(routes);
  prefetchLinks((pathname) => void prefetchRoute(routes, pathname, translator));
  followDevice();
  followOtherTabs();
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={translator}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nextProvider>
    </StrictMode>,
  );
  document.dispatchEvent(new Event(startedEvent));
}

/**
 * Starts the signed-in area: a document and a router of its own. Public pages do not load this code,
 * and links between the two load a document. It reports nothing to analytics.
 */
export function startArea(features: Features): void {
  const root = document.getElementById("root");
  if (root) render(root, features).catch(reloadOnce);
}
