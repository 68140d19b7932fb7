import { randomUUID } from "node:crypto";

import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import { type Redrawn, redrawWhole } from "@pro-talent/platform/files/redraw-picture";
import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import { portfolioLimits } from "@pro-talent/schemas/studio/limits";
import { type PortfolioDocument, picturesOf } from "@pro-talent/schemas/studio/portfolio";
import type { portfolioCalls } from "@pro-talent/schemas/studio/portfolio-calls";

import type { StudioContext } from "../context.ts";
import { lockPortfolio, openCurrent, openVersion, pagesOf } from "./rows.ts";

/** Stores pictures of portfolios. */
export function pictureHandlers(
  context: StudioContext,
): CallHandlers<Pick<typeof portfolioCalls, "POST /api/portfolio/pictures">> {
  const { sql, clock } = context;
  return {
    "POST /api/portfolio/pictures": async ({ body }, { account: { accountId }, refuse }) => {
      const drawn =
        (await redrawWhole(Buffer.from(body.content, "base64"))) ?? refuse("picture_unreadable");
      return sql.begin(async (tx) => {
        const { sealer } = await lockPortfolio(tx, context, accountId);
        const file = await storePicture(tx, { sealer, accountId, nowMs: clock() }, drawn);
        const { width, height } = drawn;
        return { file: file ?? refuse("pictures_full"), width, height };
      });
    },
  };
}

/** Pictures of portfolios, as their owners see them. */
export function ownPictureHandlers({
  sql,
  keys,
}: StudioContext): CallHandlers<Pick<typeof portfolioCalls, "GET /api/portfolio/pictures/:file">> {
  return {
    "GET /api/portfolio/pictures/:file": async ({ params }, { account: { accountId }, refuse }) => {
      const sealer = (await keys.find(sql, accountId)) ?? refuse("picture_not_found");
      const picture = await readPicture(sql, sealer, { accountId, ...params });
      return new FileAnswer(picture ?? refuse("picture_not_found"), "image/webp");
    },
  };
}

type Storing = { readonly sealer: Sealer; readonly accountId: string; readonly nowMs: number };
const boundTo = (file: string): string => `portfolio picture ${file}`;

/**
 * Stores a picture of a portfolio that the transaction has locked. Where it holds as many as it may, the oldest one
 * that no page shows makes space.
 * @returns its file; undefined when all are shown
 */
export async function storePicture(
  tx: Transaction,
  { sealer, accountId, nowMs }: Storing,
  { bytes, width, height }: Redrawn,
): Promise<string | undefined> {
  const stored = await tx<{ file_id: string }[]>`
    select file_id from studio.portfolio_picture where account_id = ${accountId}
     order by stored_at, file_id`;
  if (stored.length >= portfolioLimits.storedPicturesMax) {
    const shown = await filesInUse(tx, sealer, accountId);
    const spare = stored.find(({ file_id }) => !shown.has(file_id));
    if (spare === undefined) return undefined;
    await tx`
      delete from studio.portfolio_picture
       where file_id = ${spare.file_id} and account_id = ${accountId}`;
  }
  const file = randomUUID();
  await tx`
    insert into studio.portfolio_picture (file_id, account_id, width, height, sealed, stored_at)
    values (${file}, ${accountId}, ${width}, ${height}, ${sealer.seal(bytes, boundTo(file))},
            ${new Date(nowMs)})`;
  return file;
}

/** Files that a document names: its pictures and its photo. */
export function filesOf({ profile, sections }: PortfolioDocument): string[] {
  const { photo } = profile;
  const pictures = picturesOf(sections).map(({ file }) => file);
  return photo === null ? pictures : [photo.file, ...pictures];
}

/** Those of all pages, as they are edited and as readers see them. */
async function filesInUse(tx: Queryable, sealer: Sealer, accountId: string): Promise<Set<string>> {
  const files = new Set<string>();
  for (const page of await pagesOf(tx, accountId)) {
    for (const file of filesOf(await openCurrent(tx, sealer, page))) files.add(file);
    if (page.published === null) continue;
    const published = await openVersion(tx, sealer, page, page.published);
    for (const file of published ? filesOf(published.document) : []) files.add(file);
  }
  return files;
}

type PictureId = { readonly accountId: string; readonly file: string };

/** A picture of this account, as WebP. */
export async function readPicture(
  sql: Queryable,
  sealer: Sealer,
  { accountId, file }: PictureId,
): Promise<Buffer | undefined> {
  const [row] = await sql<{ sealed: Buffer }[]>`
    select sealed from studio.portfolio_picture
     where file_id = ${file} and account_id = ${accountId}`;
  return row && sealer.unseal(row.sealed, boundTo(file));
}

/** Width and height in pixels, of each picture of an account by its file. */
export type Sizes = ReadonlyMap<string, { readonly width: number; readonly height: number }>;

export async function pictureSizes(sql: Queryable, accountId: string): Promise<Sizes> {
  const rows = await sql<{ file_id: string; width: number; height: number }[]>`
    select file_id, width, height from studio.portfolio_picture where account_id = ${accountId}`;
  return new Map(rows.map(({ file_id, ...size }) => [file_id, size]));
}
