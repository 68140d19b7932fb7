import type { i18n } from "i18next";

import { isLanguage } from "../i18n/languages.ts";
import type { Route } from "./routes.ts";
import { addressOf, isListed } from "./seo/page-address.ts";

export type DocumentHead = {
  title: string;
  description: string;
  /** The title without the product name; also the text of the share image. */
  subject: string;
  /** Path of this page in this language; undefined for unknown paths. */
  canonical: string | undefined;
  robots: "noindex" | "max-image-preview:large";
};

/** The head of a page, from its own translations. */
export function headOf(translator: i18n, route: Route): DocumentHead {
  const namespace = route.namespaces[0];
  // The first namespace of every route has both keys.
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

/** Updates the head after a navigation within the application. */
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
  // Only the address from the server has the public origin.
  const written = link.getAttribute("href") ?? "";
  const base = URL.canParse(written) ? written : location.origin;
  link.setAttribute("href", new URL(head.canonical, base).href);
  document.head.append(link);
}
