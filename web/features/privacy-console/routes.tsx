import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** For privacy officers: the record of processing activities. */
export const processingRoutes: readonly RouteObject[] = [
  {
    path: "/console/privacy/processing",
    lazy: { Component: async () => (await import("./processing-page.tsx")).ProcessingPage },
    handle: {
      namespaces: ["account", "processing"],
      title: (translator) => translator.t("title", { ns: "processing" }),
    } satisfies PageTexts,
  },
];
