import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";

import { accountApi, fetchFile } from "../../api-client/account-api.ts";
import { CallFailure, queryAnswer } from "../../api-client/query-answer.ts";
import type { CallAnswer } from "../../api-client/request.ts";
import { daysOf, todayIn } from "../days-in-query.ts";

export type Portfolio = CallAnswer<"GET /api/portfolio">["portfolio"];
export type PortfolioPage = Portfolio["pages"][number];
export type PortfolioDocument = PortfolioPage["document"];
type PortfolioSection = PortfolioDocument["sections"][number];
export type Picture = Extract<
  PortfolioSection,
  { kind: "projects" }
>["entries"][number]["pictures"][number];

export type Version = CallAnswer<"GET /api/portfolio/pages/:language/versions">["versions"][number];

/** The editor asks anew when the page is looked at again, so that nothing else may replace what is edited. */
export const portfolioQuery = queryOptions({
  queryKey: ["portfolio"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/portfolio", {})),
  staleTime: Infinity,
  refetchOnWindowFocus: false,
});

/** The CVs of the account, of which a page can be made. */
export const cvsQuery = queryOptions({
  queryKey: ["cvs"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/cvs", {})),
});

export const versionsQuery = (language: Locale) =>
  queryOptions({
    queryKey: ["portfolio-versions", language],
    queryFn: () => {
      const params = { language };
      return queryAnswer(
        accountApi().call("GET /api/portfolio/pages/:language/versions", { params }),
      );
    },
    staleTime: 0,
  });

export const versionQuery = (language: Locale, version: number) =>
  queryOptions({
    queryKey: ["portfolio-versions", language, version],
    queryFn: () => {
      const params = { language, version };
      return queryAnswer(
        accountApi().call("GET /api/portfolio/pages/:language/versions/:version", { params }),
      );
    },
    staleTime: Infinity,
  });

/**
 * Where a stored picture is for this document: its call needs the token of the account, which a picture does not send.
 * The address lives as long as the document.
 */
export const pictureQuery = (file: string) =>
  queryOptions({
    queryKey: ["portfolio-pictures", file],
    queryFn: async () => {
      const picture = await fetchFile(`/api/portfolio/pictures/${file}`);
      if (picture === undefined) throw new CallFailure(404);
      return URL.createObjectURL(picture);
    },
    staleTime: Infinity,
    gcTime: Infinity,
  });

const pictureAddress = /\/api\/portfolio\/pictures\/(?<file>[0-9a-f-]{36})/gu;

/** A page for a frame: whole addresses, since a document of its own has none, and its pictures. */
async function framed(cache: QueryClient, html: string): Promise<string> {
  const files = new Set(
    [...html.matchAll(pictureAddress)].map(({ groups }) => groups?.["file"] ?? ""),
  );
  const known = await Promise.all(
    Array.from(files, async (file) => {
      // A picture that cannot be loaded leaves its place and its text.
      const address = await cache.query(pictureQuery(file)).catch(() => "");
      return [file, address] as const;
    }),
  );
  const addresses = new Map(known);
  return html
    .replaceAll(pictureAddress, (_, file: string) => addresses.get(file) ?? "")
    .replaceAll('="/', () => `="${location.origin}/`);
}

/** A document as readers will see it: the HTML of a whole page, for a frame. */
export async function drawnPage(cache: QueryClient, document: PortfolioDocument): Promise<string> {
  const call = accountApi().call("POST /api/portfolio/preview", { body: { document } });
  return framed(cache, (await queryAnswer(call)).html);
}

/** The page in a theme, as it was saved last. */
export const themeQuery = (
  cache: QueryClient,
  document: PortfolioDocument,
  theme: PortfolioDocument["look"]["theme"],
) => {
  const { language, look } = document;
  const themed = { ...document, look: { ...look, theme } };
  return queryOptions({
    queryKey: ["portfolio-theme", language, theme, JSON.stringify(themed)],
    queryFn: () => drawnPage(cache, themed),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
};

/** The links of the account. The key is that of the list of links, which changes with them. */
export const linksQuery = queryOptions({
  queryKey: ["links"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/links", {})),
});

const lastDays = (zone: string) => ({ ...daysOf({ preset: "30d" }, todayIn(zone)), zone });

/** The newest opens of a link in the last thirty days: what of the page was seen, and for how long. */
export const newestQuery = (linkId: string, zone: string) => {
  const query = lastDays(zone);
  return queryOptions({
    queryKey: ["insights", linkId, "newest", query],
    queryFn: () =>
      queryAnswer(
        accountApi().call("GET /api/insights/links/:linkId/opens", { params: { linkId }, query }),
      ),
  });
};

/** Opens of the portfolio at its own address, which counts as a link with the id of its owner. */
export const addressOpensQuery = (accountId: string, zone: string) => {
  const query = lastDays(zone);
  return queryOptions({
    queryKey: ["insights", accountId, "address", query],
    queryFn: () => {
      const params = { linkId: accountId };
      return queryAnswer(accountApi().call("GET /api/insights/links/:linkId", { params, query }));
    },
  });
};

/** Opens of all links in the last thirty days. */
export const opensQuery = (zone: string) => {
  const query = lastDays(zone);
  return queryOptions({
    queryKey: ["insights", "all", query],
    queryFn: () => queryAnswer(accountApi().call("GET /api/insights/links", { query })),
  });
};
