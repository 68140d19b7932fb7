import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";
import type { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";

import type { StudioContext } from "../context.ts";
import {
  findPortfolio,
  openCurrent,
  openVersion,
  type PageRow,
  pagesOf,
  settingsOf,
} from "./rows.ts";

type Context = Pick<StudioContext, "sql" | "keys">;
type OwnPage = { readonly page: PageRow; readonly document: PortfolioDocument };

/** The pages of an account as they are edited; none once its key is destroyed. */
export async function ownPages({ sql, keys }: Context, accountId: string): Promise<OwnPage[]> {
  const sealer = await keys.find(sql, accountId);
  if (sealer === undefined) return [];
  const opened = (await pagesOf(sql, accountId)).map(async (page) => ({
    page,
    document: await openCurrent(sql, sealer, page),
  }));
  return await Promise.all(opened);
}

/** A record for each page of a portfolio. */
export async function heldPages(context: Context, accountId: string): Promise<HeldRecord[]> {
  const portfolio = await findPortfolio(context.sql, accountId);
  if (portfolio === undefined) return [];
  const pages = await ownPages(context, accountId);
  return pages.map(({ page, document }) => [
    { field: "status", word: page.published === null ? "unpublished" : "published" },
    { field: "headline", text: document.profile.headline },
    { field: "language", word: page.language },
    { field: "version", text: String(page.current) },
    { field: "created-at", at: instantFromMs(portfolio.created_at.getTime()) },
    { field: "changed-at", at: instantFromMs(page.saved_at.getTime()) },
  ]);
}

type Named = { readonly fileId: string; readonly name: string };

/** Names of the files of a portfolio: itself, with the account's id, and its pictures. */
export async function heldFiles({ sql }: Context, accountId: string): Promise<Named[]> {
  const portfolio = await findPortfolio(sql, accountId);
  if (portfolio === undefined) return [];
  const pictures = await sql<{ fileId: string }[]>`
    select file_id as "fileId" from studio.portfolio_picture where account_id = ${accountId}
     order by stored_at, file_id`;
  return [
    { fileId: accountId, name: "portfolio.json" },
    ...pictures.map(({ fileId }) => ({ fileId, name: "portfolio-picture.webp" })),
  ];
}

/** A portfolio with all versions of its pages, in the parts in which they are opened. */
export async function* wholePortfolio({ sql, keys }: Context, accountId: string) {
  const portfolio = await findPortfolio(sql, accountId);
  if (portfolio === undefined) return;
  const sealer = await keys.sealerOf(sql, accountId);
  yield `{"settings":${JSON.stringify(settingsOf(portfolio))},"pages":[`;
  let separator = "";
  for (const page of await pagesOf(sql, accountId)) {
    const rows = await sql<{ version: number }[]>`
      select version from studio.portfolio_version
       where account_id = ${accountId} and language = ${page.language} order by version desc`;
    for (const { version } of rows) {
      const opened = await openVersion(sql, sealer, page, version);
      if (opened === undefined) continue;
      const published = page.published === version;
      yield `${separator}${JSON.stringify({ version, published, ...opened })}`;
      separator = ",";
    }
  }
  yield "]}";
}
