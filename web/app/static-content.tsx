import type { ReactNode } from "react";

import { useLanguage } from "../i18n/use-language.ts";
import { StaticHtml } from "../ui/hydration/static-html.tsx";

/** Sections that depend on the language alone. Their links are handled by the router. */
export function StaticContent({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <StaticHtml key={language} className="static">
      {children}
    </StaticHtml>
  );
}
