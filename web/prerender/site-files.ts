import type { Route } from "../app/routes.ts";
import { isListed } from "../app/seo/page-address.ts";
import { escapeText } from "./escape-text.ts";
import { absolute, alternatesOf, brand, type PageHead } from "./head-tags.ts";

export type ListedPage = { route: Route; head: PageHead; changed: string | undefined };

const isLegal = ({ route }: ListedPage): boolean => route.namespaces.includes("legal");

function sitemapEntry({ head, changed }: ListedPage): string {
  const alternates = alternatesOf(head.path).map(
    ({ language, address }) =>
      `    <xhtml:link rel="alternate" hreflang="${language}" href="${escapeText(address)}"/>`,
  );
  return [
    "  <url>",
    `    <loc>${escapeText(absolute(head.canonical ?? head.path))}</loc>`,
    ...(changed === undefined ? [] : [`    <lastmod>${changed}</lastmod>`]),
    ...alternates,
    "  </url>",
  ].join("\n");
}

/** Every listed page in each language, with its alternate. */
export function sitemap(pages: readonly ListedPage[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${pages
  .filter(({ route }) => isListed(route))
  .map(sitemapEntry)
  .join("\n")}
</urlset>
`;
}

/** Allows everything except calls; share images are allowed. */
export function robots(): string {
  return `User-agent: *
Allow: /api/og
Disallow: /api/

Sitemap: ${absolute("/sitemap.xml")}
Sitemap: ${absolute("/p/sitemap.xml")}
`;
}

/** A summary of the site for language models (llmstxt.org), in English with a link to Hebrew. */
export function llms(pages: readonly ListedPage[]): string {
  const listed = pages.filter(({ route, head }) => isListed(route) && head.language === "en");
  const home = listed.find(({ route }) => route.page === "home");
  const link = ({ head }: ListedPage): string =>
    `- [${head.subject}](${absolute(head.path)}): ${head.description}`;
  const others = listed.filter((page) => page !== home);
  return `# ${brand}

> ${home?.head.description ?? ""}

Every page is also written in Hebrew, at the same address with \`?lang=he\`.

## Pages

${others
  .filter((page) => !isLegal(page))
  .map(link)
  .join("\n")}

## Legal

${others.filter(isLegal).map(link).join("\n")}
`;
}
