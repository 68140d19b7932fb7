import type { RouteObject } from "react-router-dom";

import type { Namespace, PageTexts, Translations } from "../../../i18n/translations.ts";

type Page = "queries" | "query" | "history" | "dashboards" | "dashboard" | "deliveries";

const textsOf = (
  page: Page & keyof Translations["analyst-work"],
  more: readonly Namespace[] = [],
) =>
  ({
    namespaces: ["account", "analyst-result", "analyst-work", ...more],
    title: (translator) => translator.t(`${page}.title`, { ns: "analyst-work" }),
  }) satisfies PageTexts;

/** For analysts: saved queries, dashboards, deliveries, and what was asked. */
export const analystWorkRoutes: readonly RouteObject[] = [
  {
    path: "/console/analyst/queries",
    lazy: { Component: async () => (await import("./saved-list.tsx")).QueriesPage },
    handle: textsOf("queries"),
  },
  {
    path: "/console/analyst/queries/new",
    lazy: { Component: async () => (await import("./new-query-page.tsx")).NewQueryPage },
    handle: textsOf("query"),
  },
  {
    path: "/console/analyst/queries/:workId",
    lazy: { Component: async () => (await import("./query-page.tsx")).QueryPage },
    handle: textsOf("query"),
  },
  {
    path: "/console/analyst/history",
    lazy: { Component: async () => (await import("./history-page.tsx")).HistoryPage },
    handle: textsOf("history"),
  },
  {
    path: "/console/analyst/dashboards",
    lazy: { Component: async () => (await import("./saved-list.tsx")).DashboardsPage },
    handle: textsOf("dashboards"),
  },
  {
    path: "/console/analyst/dashboards/:workId",
    lazy: { Component: async () => (await import("./dashboard-page.tsx")).DashboardPage },
    // The names of groups and steps in tiles of ready-made questions.
    handle: textsOf("dashboard", ["traffic", "analyst-questions"]),
  },
  {
    path: "/console/analyst/deliveries",
    lazy: { Component: async () => (await import("./deliveries-page.tsx")).DeliveriesPage },
    handle: textsOf("deliveries"),
  },
];
