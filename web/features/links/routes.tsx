import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** The links of the own account, and what is known of each. */
export const linkRoutes: readonly RouteObject[] = [
  {
    path: "/links",
    lazy: { Component: async () => (await import("./links-page.tsx")).LinksPage },
    handle: {
      namespaces: ["account", "links"],
      title: (translator) => translator.t("title", { ns: "links" }),
    } satisfies PageTexts,
  },
  {
    path: "/links/:linkId",
    lazy: { Component: async () => (await import("./link-page.tsx")).LinkPage },
    handle: {
      namespaces: ["account", "links"],
      title: (translator) => translator.t("link.title", { ns: "links" }),
    } satisfies PageTexts,
  },
];
