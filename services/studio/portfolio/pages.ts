import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { portfolioLimits } from "@pro-talent/schemas/studio/limits";
import { type Conflict, mergeDocuments } from "@pro-talent/schemas/studio/merge";
import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import type { portfolioCalls } from "@pro-talent/schemas/studio/portfolio-calls";

import type { StudioContext } from "../context.ts";
import { findCv, openCurrent as openCurrentCv } from "../cv-rows.ts";
import { readPhoto } from "../photos.ts";
import { storePicture } from "./pictures.ts";
import {
  findPage,
  insertVersion,
  lockPortfolio,
  openCurrent,
  openVersion,
  pageState,
  type PageRow,
} from "./rows.ts";

type PageCalls = Pick<
  typeof portfolioCalls,
  | "PUT /api/portfolio/pages/:language"
  | "GET /api/portfolio/pages/:language/versions"
  | "GET /api/portfolio/pages/:language/versions/:version"
  | "POST /api/portfolio/from-cv"
>;

/** The pages of a portfolio as they are edited, and their versions. */
export function pageHandlers(context: StudioContext): CallHandlers<PageCalls> {
  const { sql, keys } = context;
  return {
    "PUT /api/portfolio/pages/:language": async (
      { params: { language }, body },
      { account: { accountId }, refuse },
    ) =>
      sql.begin(async (tx) => {
        const { sealer } = await lockPortfolio(tx, context, accountId);
        const mine = { ...body.document, language };
        const page = await findPage(tx, { account_id: accountId, language });
        if (page === undefined) {
          const made = await makePage(tx, context, { sealer, accountId, document: mine });
          return { page: await pageState(tx, sealer, made), conflicts: [] };
        }
        const edited = await merged(tx, sealer, { page, basedOn: body.basedOn, mine });
        if (typeof edited === "string") return refuse(edited);
        const saved = await savePage(tx, context, { sealer, page, document: edited.document });
        return { page: await pageState(tx, sealer, saved), conflicts: [...edited.conflicts] };
      }),
    "GET /api/portfolio/pages/:language/versions": async (
      { params: { language } },
      { account: { accountId }, refuse },
    ) => {
      const rows = await sql<{ version: number; saved_at: Date }[]>`
        select version, saved_at from studio.portfolio_version
         where account_id = ${accountId} and language = ${language} order by version desc`;
      if (rows.length === 0) refuse("portfolio_page_not_found");
      return {
        versions: rows.map(({ version, saved_at }) => ({
          version,
          savedAt: instantFromMs(saved_at.getTime()),
        })),
      };
    },
    "GET /api/portfolio/pages/:language/versions/:version": async (
      { params: { language, version } },
      { account: { accountId }, refuse },
    ) => {
      const page = { account_id: accountId, language };
      const sealer = (await keys.find(sql, accountId)) ?? refuse("portfolio_page_not_found");
      const opened =
        (await openVersion(sql, sealer, page, version)) ?? refuse("portfolio_version_not_found");
      const savedAt = instantFromMs(opened.savedAt.getTime());
      return { version: { version, savedAt }, document: opened.document };
    },
    "POST /api/portfolio/from-cv": async ({ body: { cvId } }, { account: { accountId }, refuse }) =>
      sql.begin(async (tx) => {
        const cv = (await findCv(tx, { accountId, cvId })) ?? refuse("cv_not_found");
        const document = await documentFromCv(tx, context, cv);
        return { document: document ?? refuse("pictures_full") };
      }),
  };
}

type Written = { readonly sealer: Sealer; readonly document: PortfolioDocument };

/** The first version of a page. */
export async function makePage(
  tx: Transaction,
  { clock }: Pick<StudioContext, "clock">,
  { sealer, accountId, document }: Written & { readonly accountId: string },
): Promise<PageRow> {
  const [page] = await tx<PageRow[]>`
    insert into studio.portfolio_page (account_id, language, current, saved_at)
    values (${accountId}, ${document.language}, 1, ${new Date(clock())}) returning *`;
  if (page === undefined) throw new Error("The page was not made");
  await insertVersion(tx, sealer, page, document);
  return page;
}

type Edit = {
  readonly page: PageRow;
  readonly basedOn: number | null;
  readonly mine: PortfolioDocument;
};
type Edited = { readonly document: PortfolioDocument; readonly conflicts: readonly Conflict[] };

/** An edit together with what was saved since the version that it is based on; or why it cannot be. */
async function merged(
  tx: Transaction,
  sealer: Sealer,
  { page, basedOn, mine }: Edit,
): Promise<Edited | "portfolio_version_not_kept" | "portfolio_too_long"> {
  if (basedOn === page.current) return { document: mine, conflicts: [] };
  const theirs = await openCurrent(tx, sealer, page);
  if (JSON.stringify(mine) === JSON.stringify(theirs)) return { document: mine, conflicts: [] };
  const base = basedOn === null ? undefined : await openVersion(tx, sealer, page, basedOn);
  if (base === undefined) return "portfolio_version_not_kept";
  const { conflicts, ...result } = mergeDocuments(base.document, theirs, mine);
  const both = PortfolioDocument.safeParse(result.merged);
  return both.success ? { document: both.data, conflicts } : "portfolio_too_long";
}

/** Saves a document as the newest version, unless it says what that one says; the oldest ones are deleted. */
export async function savePage(
  tx: Transaction,
  { clock }: Pick<StudioContext, "clock">,
  { sealer, page, document }: Written & { readonly page: PageRow },
): Promise<PageRow> {
  const { account_id, language, current } = page;
  const now = await openCurrent(tx, sealer, page);
  if (JSON.stringify(document) === JSON.stringify(now)) return page;
  const [saved] = await tx<PageRow[]>`
    update studio.portfolio_page set current = ${current + 1}, saved_at = ${new Date(clock())}
     where account_id = ${account_id} and language = ${language} returning *`;
  if (saved === undefined) throw new Error("The page is not locked");
  await insertVersion(tx, sealer, saved, document);
  await tx`
    delete from studio.portfolio_version
     where account_id = ${account_id} and language = ${language}
       and version <= ${saved.current - portfolioLimits.versionsKept}
       and version is distinct from ${saved.published}::int`;
  return saved;
}

/** Its sections and its photo, as a picture of the portfolio; undefined when there is no space for that. */
async function documentFromCv(
  tx: Transaction,
  context: StudioContext,
  cv: NonNullable<Awaited<ReturnType<typeof findCv>>>,
): Promise<PortfolioDocument | undefined> {
  const { account_id: accountId, language } = cv;
  const { document } = await openCurrentCv(tx, context.keys, cv);
  const { sections, page } = document;
  const { photo, ...profile } = document.profile;
  const { sealer } = await lockPortfolio(tx, context, accountId);
  const bytes = photo && (await readPhoto(tx, sealer, { accountId, fileId: photo.file }));
  const size = { width: 512, height: 512 };
  const storing = { sealer, accountId, nowMs: context.clock() };
  const file = bytes ? await storePicture(tx, storing, { bytes, ...size }) : null;
  if (file === undefined) return undefined;
  return PortfolioDocument.parse({
    version: 1,
    language,
    look: { accent: page.accent },
    profile: { ...profile, photo: file && photo ? { ...photo, file } : null },
    sections,
  });
}
