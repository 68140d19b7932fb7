import { DocumentTooSlow } from "@pro-talent/platform/documents/draw-documents";
import { type CallHandlers, FileAnswer } from "@pro-talent/platform/http/add-calls";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import {
  type internalPortfolioCalls,
  pageGaps,
  type portfolioCalls,
  type ShownPortfolioPage,
} from "@pro-talent/schemas/studio/portfolio-calls";

import type { StudioContext } from "../context.ts";
import { fileOf } from "../current-files.ts";
import { findCv, openCurrent as openCurrentCv } from "../cv-rows.ts";
import { filesOf, pictureSizes, readPicture } from "./pictures.ts";
import { passwordHashOf, portfolioPasswords } from "./portfolio.ts";
import { renderPage } from "./render-page.ts";
import {
  findPortfolio,
  openVersion,
  type PageRow,
  pagesOf,
  type PortfolioRow,
  settingsOf,
} from "./rows.ts";

/** Drawn after every key: limited by account. */
export type PreviewCalls = Pick<typeof portfolioCalls, "POST /api/portfolio/preview">;

/** A page that need not be stored yet, for its owner. */
export function portfolioPreviewHandlers({ sql }: StudioContext): CallHandlers<PreviewCalls> {
  return {
    "POST /api/portfolio/preview": async ({ body: { document } }, { account: { accountId } }) => {
      const portfolio = await findPortfolio(sql, accountId);
      const { html } = renderPage(document, {
        sizes: await pictureSizes(sql, accountId),
        contactForm: portfolio?.contact_form ?? false,
        hasCv: document.cvId !== null,
        hasOther: (await pagesOf(sql, accountId)).length > 1,
      });
      return { html: filledForOwner(html) };
    },
  };
}

/** Pictures have the addresses of the owner's own calls. */
const filledForOwner = (html: string): string =>
  html
    .replaceAll(pageGaps.base, "/api/portfolio")
    .replaceAll(pageGaps.address, "")
    .replace(pageGaps.head, '<meta name="robots" content="noindex">')
    .replace(pageGaps.foot, "");

/** What the collector shows of portfolios. */
export function shownHandlers(context: StudioContext): CallHandlers<typeof internalPortfolioCalls> {
  const { sql, keys } = context;
  return {
    "POST /internal/portfolios/of/:accountId/shown": async ({ params, body }) => {
      const portfolio = await findShown(context, params.accountId);
      if (portfolio === undefined) return { status: "none" };
      const { revision, lock_id: lock } = portfolio;
      if (revision === body.revision) return { status: "unchanged" };
      const pages = await shownPages(context, portfolio);
      if (pages.length === 0) return { status: "none" };
      return { status: "shown", ...shownSettings(portfolio), lock, revision, pages };
    },
    "GET /internal/portfolios/listed": async () => {
      const rows = await sql<{ accountId: string }[]>`
        select account_id as "accountId" from studio.portfolio
         where state = 'published' and in_search and lock_id is null
           and (expires_at is null or expires_at > ${new Date(context.clock())})
         order by account_id limit 10000`;
      return { accountIds: rows.map(({ accountId }) => accountId) };
    },
    "POST /internal/portfolios/of/:accountId/unlock": async ({ params: { accountId }, body }) => {
      const portfolio = await findShown(context, accountId);
      const hash = portfolio && passwordHashOf(await keys.sealerOf(sql, accountId), portfolio);
      return { opens: await portfolioPasswords.verify(body.password, hash) };
    },
    "GET /internal/portfolios/of/:accountId/pictures/:file": async ({ params }, { refuse }) => {
      const { accountId, file } = params;
      if (!(await findShown(context, accountId))) refuse("picture_not_found");
      const sealer = (await keys.find(sql, accountId)) ?? refuse("picture_not_found");
      const published = await publishedOf(context, accountId);
      if (!published.some(({ document }) => filesOf(document).includes(file)))
        refuse("picture_not_found");
      const picture = await readPicture(sql, sealer, { accountId, file });
      return new FileAnswer(picture ?? refuse("picture_not_found"), "image/webp");
    },
    "GET /internal/portfolios/of/:accountId/cv/:language": async (
      { params: { accountId, language } },
      { refuse },
    ) => {
      const isShown = (await findShown(context, accountId)) !== undefined;
      const published = isShown ? await publishedOf(context, accountId) : [];
      const page = published.find(({ page: { language: of } }) => of === language);
      const cvId = page?.document.cvId ?? refuse("cv_not_found");
      const cv = (await findCv(sql, { accountId, cvId })) ?? refuse("cv_not_found");
      const { sealer, current: version } = await openCurrentCv(sql, keys, cv);
      const pdf = await fileOf(context, { cv, version, sealer, format: "pdf" }).catch(
        (error: unknown) => {
          if (error instanceof DocumentTooSlow) return refuse("cv_not_drawn");
          throw error;
        },
      );
      return new FileAnswer(pdf, "application/pdf");
    },
  };
}

/** A portfolio that readers see now. */
async function findShown(
  { sql, clock }: Pick<StudioContext, "sql" | "clock">,
  accountId: string,
): Promise<PortfolioRow | undefined> {
  const portfolio = await findPortfolio(sql, accountId);
  if (portfolio === undefined || portfolio.state === "draft") return undefined;
  const ended = portfolio.expires_at !== null && portfolio.expires_at.getTime() <= clock();
  return ended ? undefined : portfolio;
}

function shownSettings(portfolio: PortfolioRow) {
  const { state, ...settings } = settingsOf(portfolio);
  return { ...settings, state: state === "published" ? state : ("unlisted" as const) };
}

async function publishedOf({ sql, keys }: StudioContext, accountId: string) {
  const sealer = await keys.sealerOf(sql, accountId);
  const rows = await pagesOf(sql, accountId);
  const opened = rows.map(async (page) => {
    if (page.published === null) return [];
    const version = await openVersion(sql, sealer, page, page.published);
    return version === undefined ? [] : [{ page, document: version.document }];
  });
  return (await Promise.all(opened)).flat();
}

async function shownPages(
  context: StudioContext,
  { account_id: accountId, contact_form: contactForm }: PortfolioRow,
): Promise<ShownPortfolioPage[]> {
  const { sql } = context;
  const sizes = await pictureSizes(sql, accountId);
  const published = await publishedOf(context, accountId);
  return Promise.all(
    published.map(async ({ document }) =>
      renderPage(document, {
        sizes,
        contactForm,
        hasCv: await hasCv(sql, accountId, document.cvId),
        hasOther: published.length > 1,
      }),
    ),
  );
}

const hasCv = async (
  sql: Queryable,
  accountId: PageRow["account_id"],
  cvId: string | null,
): Promise<boolean> => cvId !== null && (await findCv(sql, { accountId, cvId })) !== undefined;
