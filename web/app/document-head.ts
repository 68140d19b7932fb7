import type { i18n } from "i18next";

import type { Route } from "./routes.ts";

export type DocumentHead = { title: string; description: string };

/** Title and description of a page, out of the words that it brings. */
export function headOf(translator: i18n, route: Route): DocumentHead {
  const namespace = route.words[0];
  // The first namespace of every route has these two; words.test.ts holds the files to it.
  const read = (key: string): string =>
    String(translator.getResource(translator.language, namespace, key) ?? "");
  return {
    title: translator.t("titleWithBrand", { ns: "shell", title: read("meta.title") }),
    description: read("meta.description"),
  };
}
