import type { RouteObject } from "react-router-dom";

import type { Namespace, PageTexts, Translations } from "../../i18n/translations.ts";

type Page = "queries" | "query" | "history" | "dashboards" | "dashboard" | "deliveries" | "record";

const textsOf = (
  page: Page & keyof Translations["analyst-work"],
  more: readonly Namespace[] = [],
) =>
  ({
    namespaces: ["account", "analyst-result", "analyst-work", ...more],
    title: (translator) => translator.t(`${page}.title`, { ns: "analyst-work" }),
  }) satisfies PageTexts;

/** For analysts: queries, ready-made questions, what there is to ask about, and saved work; for officers, the record. */
export const analystRoutes: readonly RouteObject[] = [
  {
    path: "/console/analyst",
    lazy: { Component: async () => (await import("./console-page.tsx")).ConsolePage },
    handle: {
      namespaces: ["account", "analyst", "analyst-result", "analyst-work"],
      title: (translator) => translator.t("title", { ns: "analyst" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/analyst/questions",
    lazy: { Component: async () => (await import("./questions-page.tsx")).QuestionsPage },
    handle: {
      namespaces: ["account", "traffic", "analyst", "analyst-result", "analyst-questions"],
      title: (translator) => translator.t("title", { ns: "analyst-questions" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/analyst/views",
    lazy: { Component: async () => (await import("./views-page.tsx")).ViewsPage },
    handle: {
      namespaces: ["account", "analyst", "analyst-views"],
      title: (translator) => translator.t("title", { ns: "analyst-views" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/analyst/queries",
    lazy: { Component: async () => (await import("./work/saved-list.tsx")).QueriesPage },
    handle: textsOf("queries"),
  },
  {
    path: "/console/analyst/queries/:workId",
    lazy: { Component: async () => (await import("./work/query-page.tsx")).QueryPage },
    handle: textsOf("query", ["analyst"]),
  },
  {
    path: "/console/analyst/history",
    lazy: { Component: async () => (await import("./work/history-page.tsx")).HistoryPage },
    handle: textsOf("history"),
  },
  {
    path: "/console/analyst/dashboards",
    lazy: { Component: async () => (await import("./work/saved-list.tsx")).DashboardsPage },
    handle: textsOf("dashboards"),
  },
  {
    path: "/console/analyst/dashboards/:workId",
    lazy: { Component: async () => (await import("./work/dashboard-page.tsx")).DashboardPage },
    // The names of groups and steps in tiles of ready-made questions.
    handle: textsOf("dashboard", ["traffic", "analyst-questions"]),
  },
  {
    path: "/console/analyst/deliveries",
    lazy: { Component: async () => (await import("./work/deliveries-page.tsx")).DeliveriesPage },
    handle: textsOf("deliveries"),
  },
  {
    path: "/console/privacy/queries",
    lazy: { Component: async () => (await import("./record/record-page.tsx")).RecordPage },
    handle: textsOf("record"),
  },
];
