import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../../i18n/translations.ts";

export const dashboardRoute: RouteObject = {
  path: "/dashboard",
  lazy: { Component: async () => (await import("./dashboard-page.tsx")).DashboardPage },
  handle: {
    namespaces: ["account", "applications", "dashboard"],
    title: (translator) => translator.t("title", { ns: "dashboard" }),
  } satisfies PageTexts,
};
