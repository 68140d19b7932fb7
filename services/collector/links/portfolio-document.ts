import { escapeHtml } from "@pro-talent/platform/mail/text-safety";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { pageGaps, type ShownPortfolioPage } from "@pro-talent/schemas/studio/portfolio-calls";
import type { FastifyReply } from "fastify";

import { linkTexts } from "./link-texts.ts";
import type { Portfolio } from "./portfolios.ts";
import { countedNotice } from "./viewing-pages.ts";

/** Where a portfolio is shown. */
export type PortfolioPlace = {
  /** Path before those of its pictures and forms: `/p/dana`, `/v/ticket`, or empty at a host of its own. */
  readonly base: string;
  /** Whole address, as search engines are to know it. */
  readonly address: string;
  /** Of the site. */
  readonly origin: string;
};

/** The page in the language that is asked for, or in the one that there is. */
export function pageIn(
  { pages }: Pick<Portfolio, "pages">,
  language: Locale,
): ShownPortfolioPage | undefined {
  return pages.find((page) => page.language === language) ?? pages[0];
}

/** Search engines may list it: its owner chose so, and anyone may read it. */
export const mayBeListed = ({ state, inSearch, lock }: Portfolio): boolean =>
  state === "published" && inSearch && lock === null;

const script = '<script type="module" src="/viewer/viewer.js"></script>';
/** Where the ticket of an open will stand. Text of the owner is escaped, so that it cannot say this. */
const viewingGap = "<!--viewing-->";

/** Names to the script of a page where it reports what was seen. */
const viewingMark = (path: string): string =>
  `<div hidden data-viewing="${escapeHtml(path)}"></div>`;

/** A page at its own address as one open of it gets it. @param path of the open, as in `/v/ticket` */
export const openedPage = (html: string, path: string): string =>
  html.replace(viewingGap, () => viewingMark(path));

/**
 * The page at its own address, with what search engines and previews read in its head; the same for all its
 * opens.
 */
export function portfolioPage(
  portfolio: Portfolio,
  page: ShownPortfolioPage,
  { base, address, origin }: PortfolioPlace,
): string {
  const own = addressIn(portfolio, page.language, address);
  const head = mayBeListed(portfolio)
    ? [
        `<link rel="canonical" href="${escapeHtml(own)}">`,
        ...(portfolio.pages.length > 1 ? portfolio.pages : []).map(
          ({ language }) =>
            `<link rel="alternate" hreflang="${language}" href="${escapeHtml(addressIn(portfolio, language, address))}">`,
        ),
      ]
    : ['<meta name="robots" content="noindex">'];
  const preview = portfolio.lock === null ? previewOf(page, own, origin) : [];
  const t = linkTexts[page.language];
  const site = escapeHtml(origin);
  const ways = `<nav class="notice__ways"><a href="${site}/">${t.madeWith}</a><a href="${site}/privacy">${t.privacy}</a><a href="${base}/report?lang=${page.language}">${t.reportPage}</a></nav>`;
  const foot = viewingGap + countedNotice(page.language, t.countedPage) + ways;
  return filled(page, { base, address: own, head: [...head, ...preview, script].join("\n"), foot });
}

/** The addresses of these portfolios (sitemaps.org), each in each of its languages. */
export function portfolioSitemap(
  portfolios: readonly Portfolio[],
  addressOf: (handle: string) => string,
): string {
  const addresses = portfolios.flatMap((portfolio) => {
    const { handle } = portfolio.owner;
    if (handle === null) return [];
    return portfolio.pages.map(({ language }) => addressIn(portfolio, language, addressOf(handle)));
  });
  const urls = addresses.map((address) => `<url><loc>${escapeHtml(address)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("\n")}</urlset>
`;
}

/** The page as a link opened it: its script reports what was seen, and its foot says so. */
export function linkedPortfolioPage(
  page: ShownPortfolioPage,
  base: string,
  notice: string,
): string {
  const head = `<meta name="robots" content="noindex">\n${script}`;
  const foot = viewingMark(base) + notice;
  return filled(page, { base, address: "", head, foot });
}

/** Both languages have one address, unless there are both. */
const addressIn = ({ pages }: Portfolio, language: Locale, address: string): string =>
  pages.length > 1 ? `${address}?lang=${language}` : address;

function previewOf({ title, description, name }: ShownPortfolioPage, url: string, origin: string) {
  const meta = (property: string, content: string) =>
    `<meta property="${property}" content="${escapeHtml(content)}">`;
  return [
    meta("og:type", "profile"),
    meta("og:title", title),
    meta("og:description", description),
    meta("og:url", url),
    meta("og:image", `${origin}/api/og?title=${encodeURIComponent(title.toWellFormed())}`),
    meta("og:image:width", "1200"),
    meta("og:image:height", "630"),
    meta("og:image:alt", name),
    '<meta name="twitter:card" content="summary_large_image">',
  ];
}

type Filling = Record<keyof typeof pageGaps, string>;

const filled = ({ html }: ShownPortfolioPage, filling: Filling): string =>
  html
    .replaceAll(pageGaps.base, filling.base)
    .replaceAll(pageGaps.address, filling.address)
    .replace(pageGaps.head, () => filling.head)
    .replace(pageGaps.foot, () => filling.foot);

/** One script of the product runs; checkers of pages fetch the site's `robots.txt` as the page does. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Headers of a portfolio: nothing of its owner's runs, is loaded from elsewhere or is framed. */
export function setPortfolioHeaders(
  reply: FastifyReply,
  { language }: ShownPortfolioPage,
): FastifyReply {
  return (
    reply
      .type("text/html; charset=utf-8")
      .header("content-language", language)
      .header("content-security-policy", policy)
      .header("cross-origin-opener-policy", "same-origin")
      // Other sites get no referrer; the forms of the page name their origin.
      .header("referrer-policy", "same-origin")
      .header("vary", "Accept-Language, Cookie")
  );
}

/** Answers with the page as one open of it gets it, which is kept for no other one. */
export function answerPortfolio(
  reply: FastifyReply,
  { portfolio, page, html }: { portfolio: Portfolio; page: ShownPortfolioPage; html: string },
): FastifyReply {
  const kept = portfolio.lock === null ? "private, no-cache" : "private, no-store";
  setPortfolioHeaders(reply, page).header("cache-control", kept);
  if (!mayBeListed(portfolio)) reply.header("x-robots-tag", "noindex");
  return reply.send(html);
}
