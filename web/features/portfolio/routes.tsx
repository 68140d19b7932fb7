import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** The public page of the account, as its owner makes it. */
export const portfolioRoutes: readonly RouteObject[] = [
  {
    path: "/portfolio",
    lazy: { Component: async () => (await import("./portfolio-page.tsx")).PortfolioPage },
    handle: {
      namespaces: ["account", "cv", "cv-checks", "portfolio"],
      title: (translator) => translator.t("title", { ns: "portfolio" }),
    } satisfies PageTexts,
  },
];
