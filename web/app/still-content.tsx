import type { ReactNode } from "react";

import { useLanguage } from "../i18n/use-language.ts";
import { Still } from "../ui/hydration/still.tsx";

/** Sections that depend on the language alone. Their links are handled by the router. */
export function StillContent({ children }: { children: ReactNode }) {
  const language = useLanguage();
  return (
    <Still key={language} className="still">
      {children}
    </Still>
  );
}
