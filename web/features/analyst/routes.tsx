import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** For analysts: queries, ready-made questions, and what there is to ask about. */
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
    lazy: { Component: async () => (await import("./questions/questions-page.tsx")).QuestionsPage },
    handle: {
      namespaces: ["account", "traffic", "analyst", "analyst-result", "analyst-questions"],
      title: (translator) => translator.t("title", { ns: "analyst-questions" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/analyst/views",
    lazy: { Component: async () => (await import("./views/views-page.tsx")).ViewsPage },
    handle: {
      namespaces: ["account", "analyst", "analyst-views"],
      title: (translator) => translator.t("title", { ns: "analyst-views" }),
    } satisfies PageTexts,
  },
];
