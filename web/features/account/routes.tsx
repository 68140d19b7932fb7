import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** The pages that lead into an account. */
export const accountRoutes: readonly RouteObject[] = [
  {
    path: "/login",
    lazy: { Component: async () => (await import("./sign-in-page.tsx")).SignInPage },
    handle: {
      namespaces: ["account"],
      title: (translator) => translator.t("signIn.title", { ns: "account" }),
    } satisfies PageTexts,
  },
  {
    path: "/join",
    lazy: { Component: async () => (await import("./join-page.tsx")).JoinPage },
    handle: {
      namespaces: ["account"],
      title: (translator) => translator.t("join.title", { ns: "account" }),
    } satisfies PageTexts,
  },
];
