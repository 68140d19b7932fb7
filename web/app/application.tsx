import type { i18n } from "i18next";
import { Suspense } from "react";
import { I18nextProvider } from "react-i18next";

import { ConsentLayer } from "../features/consent/consent-layer.tsx";
import { Loaded } from "./loaded.tsx";
import { PageBoundary } from "./page-boundary.tsx";
import { type PageHost, PageHostProvider } from "./page-context.tsx";
import { RouteEffects } from "./route-effects.tsx";
import { routeOf } from "./routes.ts";
import { Link, useLocation, useNavigationPending } from "./routing.ts";
import { Footer } from "./shell/footer.tsx";
import { Header } from "./shell/header.tsx";
import { NavigationProgress } from "./shell/navigation-progress.tsx";
import { SkipLinks } from "./shell/skip-links.tsx";
import { StatusLine } from "./shell/status-line.tsx";

/** The page. A failure belongs to one visit: the next one shows its page. */
function Main() {
  const { pathname, key } = useLocation();
  return (
    <main id="main" tabIndex={-1}>
      <PageBoundary visit={key}>
        <Suspense>
          <Loaded wanted={routeOf(pathname)} />
        </Suspense>
      </PageBoundary>
    </main>
  );
}

function Progress() {
  return <NavigationProgress pending={useNavigationPending()} />;
}

function PolicyLink({ children }: { children: string }) {
  return <Link to="/cookie-policy">{children}</Link>;
}

/** Shell and page. The same tree is prerendered and hydrated. */
export function Application({ translator, host }: { translator: i18n; host: PageHost }) {
  return (
    <I18nextProvider i18n={translator}>
      <PageHostProvider value={host}>
        <Progress />
        <SkipLinks />
        <ConsentLayer consent={host.consent} PolicyLink={PolicyLink} />
        <Header />
        <Main />
        <Footer />
        <StatusLine consent={host.consent} />
        <RouteEffects />
      </PageHostProvider>
    </I18nextProvider>
  );
}
