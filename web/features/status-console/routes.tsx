import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** For administrators: how the product runs, and what it has stopped by itself. */
export const statusRoutes: readonly RouteObject[] = [
  {
    path: "/console/status",
    lazy: { Component: async () => (await import("./status-page.tsx")).StatusPage },
    handle: {
      namespaces: ["account", "billing", "status"],
      title: (translator) => translator.t("title", { ns: "status" }),
    } satisfies PageTexts,
  },
];
