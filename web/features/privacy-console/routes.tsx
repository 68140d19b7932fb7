import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

const consoleTexts = {
  namespaces: ["account", "account-privacy", "copy-review", "privacy-console"],
  title: (translator) => translator.t("title", { ns: "privacy-console" }),
} satisfies PageTexts;

const breachTexts = {
  namespaces: ["account", "breaches"],
  title: (translator) => translator.t("title", { ns: "breaches" }),
} satisfies PageTexts;

/** For privacy officers: the queue, each request, and the record of processing activities. */
export const privacyConsoleRoutes: readonly RouteObject[] = [
  {
    path: "/console/privacy",
    lazy: { Component: async () => (await import("./queue-page.tsx")).QueuePage },
    handle: consoleTexts,
  },
  {
    path: "/console/privacy/requests/:requestId",
    lazy: { Component: async () => (await import("./request-page.tsx")).RequestPage },
    handle: consoleTexts,
  },
  {
    path: "/console/privacy/requests/:requestId/review",
    lazy: { Component: async () => (await import("./copy-review-page.tsx")).CopyReviewPage },
    handle: consoleTexts,
  },
  {
    path: "/console/privacy/breaches",
    lazy: { Component: async () => (await import("./breaches-page.tsx")).BreachesPage },
    handle: breachTexts,
  },
  {
    path: "/console/privacy/breaches/:breachId",
    lazy: { Component: async () => (await import("./breach-page.tsx")).BreachPage },
    handle: breachTexts,
  },
  {
    path: "/console/privacy/inactive",
    lazy: { Component: async () => (await import("./inactive-page.tsx")).InactivePage },
    handle: {
      namespaces: ["account", "inactive-accounts"],
      title: (translator) => translator.t("title", { ns: "inactive-accounts" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/privacy/calendar",
    lazy: { Component: async () => (await import("./calendar-page.tsx")).CalendarPage },
    handle: {
      namespaces: ["account", "privacy-calendar"],
      title: (translator) => translator.t("title", { ns: "privacy-calendar" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/privacy/metrics",
    lazy: { Component: async () => (await import("./metrics-page.tsx")).MetricsPage },
    handle: {
      namespaces: ["account", "privacy-metrics"],
      title: (translator) => translator.t("title", { ns: "privacy-metrics" }),
    } satisfies PageTexts,
  },
  {
    path: "/console/privacy/processing",
    lazy: { Component: async () => (await import("./processing-page.tsx")).ProcessingPage },
    handle: {
      namespaces: ["account", "processing"],
      title: (translator) => translator.t("title", { ns: "processing" }),
    } satisfies PageTexts,
  },
];
