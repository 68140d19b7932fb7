import { createElement, type ReactNode, startTransition, use, useEffect, useState } from "react";

import { useLanguage } from "../i18n/use-language.ts";
import { StaticHtml } from "../ui/hydration/static-html.tsx";
import { usePageHost } from "./page-context.tsx";
import type { Loadable } from "./routes.ts";
import { useLocation, useNavigationType } from "./routing.ts";

/** A page or sections. Suspends until code and texts are loaded. */
export function Loaded({ wanted }: { wanted: Loadable }) {
  const { loader } = usePageHost();
  const { key } = useLocation();
  const language = useLanguage();
  return createElement(loader.ready(wanted, language) ?? use(loader.load(wanted, language, key)));
}

type StaticSectionsProps = { sections: Loadable; className?: string | undefined };

/**
 * Sections that depend on the language alone. The browser keeps those of the document and loads
 * their code only to render them itself. Their links are handled by the router.
 */
export function StaticSections({ sections, className }: StaticSectionsProps) {
  return (
    <StaticHtml key={useLanguage()} className={className}>
      <Loaded wanted={sections} />
    </StaticHtml>
  );
}

/**
 * The part of a long page below the first screen. After a press on a link it is rendered once the
 * first screen shows: that is the answer to the press. Back, forward and anchors need the whole page.
 */
export function BelowFold({ children }: { children: ReactNode }) {
  const { hash } = useLocation();
  const whole = useNavigationType() === "POP" || hash !== "";
  const [shown, setShown] = useState(whole);
  useEffect(() => startTransition(() => setShown(true)), []);
  return shown ? children : null;
}
