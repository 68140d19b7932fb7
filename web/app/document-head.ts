import type { i18n } from "i18next";

import { isLanguage } from "../i18n/languages.ts";
import type { Route } from "./routes.ts";
import { addressOf, isListed } from "./seo/page-address.ts";

export type DocumentHead = {
  title: string;
  description: string;
  /** The title without the name of the product: what a share image says. */
  subject: string;
  /** The one address of this page in this language, from the root; unknown paths have none. */
  canonical: string | undefined;
  robots: "noindex" | "max-image-preview:large";
};

/** What the head says about a page, out of the words that it brings. */
export function headOf(translator: i18n, route: Route): DocumentHead {
  const namespace = route.words[0];
  // The first namespace of every route has these two; words.test.ts holds the files to it.
  const read = (key: string): string =>
    String(translator.getResource(translator.language, namespace, key) ?? "");
  const subject = read("meta.title");
  const language = isLanguage(translator.language) ? translator.language : "en";
  return {
    title: translator.t("titleWithBrand", { ns: "shell", title: subject }),
    description: read("meta.description"),
    subject,
    canonical: route.page === "not-found" ? undefined : addressOf(route.path, language),
    robots: isListed(route) ? "max-image-preview:large" : "noindex",
  };
}

/** Puts a page's head on the document when the visitor has come to it without loading it anew. */
export function showHead(head: DocumentHead): void {
  document.title = head.title;
  document.querySelector('meta[name="description"]')?.setAttribute("content", head.description);
  document.querySelector('meta[name="robots"]')?.setAttribute("content", head.robots);
  const link = document.querySelector('link[rel="canonical"]') ?? document.createElement("link");
  if (head.canonical === undefined) {
    link.remove();
    return;
  }
  link.setAttribute("rel", "canonical");
  // The address that the server wrote knows the public origin; here it may be another.
  const written = link.getAttribute("href") ?? "";
  const base = URL.canParse(written) ? written : location.origin;
  link.setAttribute("href", new URL(head.canonical, base).href);
  document.head.append(link);
}
