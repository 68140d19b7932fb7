import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { renderToString } from "react-dom/server";

import { createConsentStore } from "../features/consent/consent-store.ts";
import { createTranslator } from "../i18n/translations.ts";
import { Application } from "./application.tsx";
import { type DocumentHead, headOf } from "./document-head.ts";
import { PageLoader } from "./page-loader.ts";
import { routes } from "./routes.ts";
import { StaticRouter } from "./routing.ts";

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
  await loader.load(route, language);
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
