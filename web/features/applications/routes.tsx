import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** The applications of the own account: all of them, and the page of one. */
export const applicationRoutes: readonly RouteObject[] = [
  {
    path: "/applications",
    lazy: { Component: async () => (await import("./applications-page.tsx")).ApplicationsPage },
    handle: {
      namespaces: ["account", "applications"],
      title: (translator) => translator.t("title", { ns: "applications" }),
    } satisfies PageTexts,
  },
  {
    path: "/applications/:applicationId",
    lazy: { Component: async () => (await import("./one/application-page.tsx")).ApplicationPage },
    handle: {
      namespaces: ["account", "applications", "application"],
      title: (translator) => translator.t("one", { ns: "applications" }),
    } satisfies PageTexts,
  },
];
