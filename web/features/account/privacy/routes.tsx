import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../../i18n/translations.ts";

/** The page about the privacy of the own account. */
export const privacyRoutes: readonly RouteObject[] = [
  {
    path: "/account/privacy",
    lazy: { Component: async () => (await import("./privacy-page.tsx")).PrivacyPage },
    handle: {
      namespaces: ["account", "account-privacy"],
      title: (translator) => translator.t("title", { ns: "account-privacy" }),
    } satisfies PageTexts,
  },
];
