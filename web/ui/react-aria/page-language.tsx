import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components";

import "./page-language.css";

/**
 * React Aria adds an inline style sheet, which the content security policy refuses, unless an
 * element has this id. page-language.css has its one rule.
 */
const styleId = "react-aria-pressable-style";
if (document.getElementById(styleId) === null) {
  const marker = document.createElement("meta");
  marker.id = styleId;
  document.head.append(marker);
}

/** React Aria follows the browser's language by itself; here it follows the page's. */
export function PageLanguage({ children }: { children: ReactNode }) {
  return <I18nProvider locale={document.documentElement.lang}>{children}</I18nProvider>;
}
