import type { RouteObject } from "react-router-dom";

import type { PageTexts } from "../../i18n/translations.ts";

/** The CVs of the own account: the list, and the editor of one. */
export const cvRoutes: readonly RouteObject[] = [
  {
    path: "/cv",
    lazy: { Component: async () => (await import("./list/cvs-page.tsx")).CvsPage },
    handle: {
      namespaces: ["account", "cv"],
      title: (translator) => translator.t("title", { ns: "cv" }),
    } satisfies PageTexts,
  },
  {
    path: "/cv/:cvId",
    lazy: { Component: async () => (await import("./cv-page.tsx")).CvPage },
    handle: {
      namespaces: ["account", "cv", "cv-checks"],
      title: (translator) => translator.t("one", { ns: "cv" }),
    } satisfies PageTexts,
  },
];
