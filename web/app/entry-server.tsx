import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { renderToString } from "react-dom/server";
import { I18nextProvider } from "react-i18next";

import { createConsentStore } from "../features/consent/consent-store.ts";
import { createTranslator, loadTranslations } from "../i18n/translations.ts";
import "../i18n/public-texts.ts";
import { Application } from "./application.tsx";
import { type DocumentHead, headOf } from "./document-head.ts";
import { PageLoader } from "./page-loader.ts";
import { routes } from "./routes.ts";
import { StaticRouter } from "./routing.ts";
import { Frame } from "./signed-in/frame.tsx";

export { routes };

export type RenderedPage = DocumentHead & { html: string };

/** Renders one page in one language, as for a browser with empty storage. */
export async function renderPage(
  path: string,
  language: Locale,
  year: number,
): Promise<RenderedPage> {
  const route = routes.find((candidate) => candidate.path === path);
  if (route === undefined) throw new Error(`no route: ${path}`);
  const translator = createTranslator(language);
  const loader = new PageLoader(translator);
  await loader.loadWhole(route, language);
  const host = {
    loader,
    consent: createConsentStore(undefined),
    tracker: undefined,
    switchLanguage: () => Promise.resolve(),
    year,
  };
  const html = renderToString(
    <StaticRouter location={path}>
      <Application translator={translator} host={host} />
    </StaticRouter>,
  );
  return { html, ...headOf(translator, route) };
}

/** What the document of the signed-in area shows until its code runs, and without scripts. */
export async function renderSignedInFrame(
  language: Locale,
): Promise<{ title: string; html: string }> {
  const translator = createTranslator(language);
  await loadTranslations(translator, language, ["shell", "account"]);
  const text = translator.getFixedT(language, "account");
  const html = renderToString(
    <I18nextProvider i18n={translator}>
      <Frame items={[]}>
        <noscript>
          <div className="state-page page-width">
            <div className="state-page__words">
              <h1>{text("layout.document")}</h1>
              <p className="state-page__body">{text("layout.scripts")}</p>
            </div>
          </div>
        </noscript>
      </Frame>
    </I18nextProvider>,
  );
  const title = translator.t("titleWithBrand", { title: text("layout.document") });
  return { title, html };
}
