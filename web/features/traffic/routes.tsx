import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** For administrators: how the public site is used. */
export const trafficRoutes: readonly RouteObject[] = [
  {
    path: "/console/traffic",
    lazy: { Component: async () => (await import("./traffic-page.tsx")).TrafficPage },
    handle: {
      namespaces: ["account", "traffic"],
      title: (translator) => translator.t("title", { ns: "traffic" }),
    } satisfies PageTexts,
  },
];
