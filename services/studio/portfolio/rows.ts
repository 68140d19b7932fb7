import { randomUUID } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import type { Portfolio, PortfolioPage } from "@pro-talent/schemas/studio/portfolio-calls";

import type { StudioContext } from "../context.ts";

/** A portfolio as its row has it. */
export type PortfolioRow = {
  readonly account_id: string;
  readonly state: Portfolio["state"];
  readonly revision: string;
  readonly lock_id: string | null;
  readonly sealed_password_hash: Buffer | null;
  readonly expires_at: Date | null;
  readonly in_search: boolean;
  readonly contact_form: boolean;
  readonly created_at: Date;
};

/** A page as its row has it. */
export type PageRow = {
  readonly account_id: string;
  readonly language: Locale;
  readonly current: number;
  readonly saved_at: Date;
  readonly published: number | null;
  readonly published_at: Date | null;
};

type PageId = Pick<PageRow, "account_id" | "language">;
type VersionRow = { readonly version: number; readonly sealed_document: Buffer; saved_at: Date };

export async function findPortfolio(
  sql: Queryable,
  accountId: string,
): Promise<PortfolioRow | undefined> {
  const [row] = await sql<PortfolioRow[]>`
    select * from studio.portfolio where account_id = ${accountId}`;
  return row;
}

/**
 * The portfolio of an account, made where there is none; no one else changes it until the transaction ends.
 * @throws KeysUnavailable
 */
export async function lockPortfolio(
  tx: Transaction,
  { keys, clock }: Pick<StudioContext, "keys" | "clock">,
  accountId: string,
): Promise<{ readonly sealer: Sealer; readonly portfolio: PortfolioRow }> {
  const sealer = await keys.sealerFor(tx, accountId, clock());
  await tx`
    insert into studio.portfolio (account_id, state, revision, in_search, contact_form, created_at)
    values (${accountId}, 'draft', ${randomUUID()}, false, false, ${new Date(clock())})
    on conflict do nothing`;
  const [portfolio] = await tx<PortfolioRow[]>`
    select * from studio.portfolio where account_id = ${accountId} for update`;
  if (portfolio === undefined) throw new Error("The portfolio was not made");
  return { sealer, portfolio };
}

/** Makes every copy of what readers see outdated. */
export const renewRevision = (tx: Queryable, accountId: string) => tx`
  update studio.portfolio set revision = ${randomUUID()} where account_id = ${accountId}`;

/** The pages of a portfolio, the one that was made first before the other. */
export async function pagesOf(sql: Queryable, accountId: string): Promise<PageRow[]> {
  return await sql<PageRow[]>`
    select * from studio.portfolio_page where account_id = ${accountId}
     order by published_at nulls last, saved_at, language`;
}

export async function findPage(
  sql: Queryable,
  { account_id, language }: PageId,
): Promise<PageRow | undefined> {
  const [row] = await sql<PageRow[]>`
    select * from studio.portfolio_page where account_id = ${account_id} and language = ${language}`;
  return row;
}

const documentBoundTo = ({ account_id, language }: PageId, version: number): string =>
  `portfolio ${account_id} ${language} ${version}`;

/** Compressed first: versions of a document are kept. */
export async function insertVersion(
  tx: Transaction,
  sealer: Sealer,
  page: PageRow,
  document: PortfolioDocument,
): Promise<void> {
  const { account_id, language, current, saved_at } = page;
  const bytes = deflateRawSync(JSON.stringify(document));
  const sealed = sealer.seal(bytes, documentBoundTo(page, current));
  await tx`
    insert into studio.portfolio_version (account_id, language, version, sealed_document, saved_at)
    values (${account_id}, ${language}, ${current}, ${sealed}, ${saved_at})`;
}

/** A version that is kept, opened. */
export async function openVersion(
  sql: Queryable,
  sealer: Sealer,
  page: PageId,
  version: number,
): Promise<{ readonly savedAt: Date; readonly document: PortfolioDocument } | undefined> {
  const [row] = await sql<VersionRow[]>`
    select * from studio.portfolio_version
     where account_id = ${page.account_id} and language = ${page.language}
       and version = ${version}`;
  if (row === undefined) return undefined;
  const bytes = sealer.unseal(row.sealed_document, documentBoundTo(page, version));
  const document = PortfolioDocument.parse(JSON.parse(inflateRawSync(bytes).toString("utf8")));
  return { savedAt: row.saved_at, document };
}

/** The document that is edited. @throws Error when it is missing */
export async function openCurrent(
  sql: Queryable,
  sealer: Sealer,
  page: PageRow,
): Promise<PortfolioDocument> {
  const current = await openVersion(sql, sealer, page, page.current);
  if (current === undefined) throw new Error("The current version of a page is missing");
  return current.document;
}

/** A page as it is edited. */
export async function pageState(
  sql: Queryable,
  sealer: Sealer,
  page: PageRow,
): Promise<PortfolioPage> {
  const { language, current, saved_at, published, published_at } = page;
  return {
    language,
    version: current,
    savedAt: instantFromMs(saved_at.getTime()),
    published:
      published === null || published_at === null
        ? null
        : { version: published, at: instantFromMs(published_at.getTime()) },
    document: await openCurrent(sql, sealer, page),
  };
}

/** What holds for all pages, as it is answered. */
export const settingsOf = ({ state, expires_at, in_search, contact_form }: PortfolioRow) => ({
  state,
  expiresAt: expires_at && instantFromMs(expires_at.getTime()),
  inSearch: in_search,
  contactForm: contact_form,
});
