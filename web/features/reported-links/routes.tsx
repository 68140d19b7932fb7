import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** For administrators: links that visitors have reported. */
export const reportedLinkRoutes: readonly RouteObject[] = [
  {
    path: "/console/links",
    lazy: { Component: async () => (await import("./reported-links-page.tsx")).ReportedLinksPage },
    handle: {
      namespaces: ["account", "billing", "reported-links"],
      title: (translator) => translator.t("title", { ns: "reported-links" }),
    } satisfies PageTexts,
  },
];
