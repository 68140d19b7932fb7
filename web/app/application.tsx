import type { i18n } from "i18next";
import { createElement, Suspense, use } from "react";
import { I18nextProvider, useTranslation } from "react-i18next";

import { ConsentLayer } from "../features/consent/consent-layer.tsx";
import { isLanguage } from "../i18n/languages.ts";
import { PageBoundary } from "./page-boundary.tsx";
import { type PageHost, PageHostProvider, usePageHost } from "./page-context.tsx";
import { RouteEffects } from "./route-effects.tsx";
import { routeOf } from "./routes.ts";
import { Link, useLocation } from "./routing.ts";
import { Footer } from "./shell/footer.tsx";
import { Header } from "./shell/header.tsx";
import { SkipLinks } from "./shell/skip-links.tsx";
import { StatusLine } from "./shell/status-line.tsx";

/** Suspends until code and texts of the page are loaded. */
function CurrentPage() {
  const { loader } = usePageHost();
  const { i18n: translator } = useTranslation();
  const route = routeOf(useLocation().pathname);
  const language = isLanguage(translator.language) ? translator.language : "en";
  return createElement(loader.ready(route, language) ?? use(loader.load(route, language)));
}

function PolicyLink({ children }: { children: string }) {
  return <Link to="/cookie-policy">{children}</Link>;
}

/** Shell and page. The same tree is prerendered and hydrated. */
export function Application({ translator, host }: { translator: i18n; host: PageHost }) {
  return (
    <I18nextProvider i18n={translator}>
      <PageHostProvider value={host}>
        <SkipLinks />
        <ConsentLayer consent={host.consent} PolicyLink={PolicyLink} />
        <Header />
        <main id="main" tabIndex={-1}>
          <PageBoundary>
            <Suspense>
              <CurrentPage />
            </Suspense>
          </PageBoundary>
        </main>
        <Footer />
        <StatusLine consent={host.consent} />
        <RouteEffects />
      </PageHostProvider>
    </I18nextProvider>
  );
}
