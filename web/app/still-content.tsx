import type { ReactNode } from "react";

import { useLanguage } from "../i18n/use-language.ts";
import { Still } from "../ui/hydration/still.tsx";

/** Sections of a page that nothing but the language changes. Their links stay links of the router. */
export function StillContent({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <Still key={language} className="still">
      {children}
    </Still>
  );
}
