import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import { redrawWhole } from "@pro-talent/platform/files/redraw-picture";
import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import type { Transaction } from "@pro-talent/platform/postgres/pool";
import { internalFormerPageCalls } from "@pro-talent/schemas/accounts/public-page";
import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";
import type { z } from "zod";

import type { StudioContext } from "../context.ts";
import { eraseCvs } from "../erase.ts";
import { makePage, savePage } from "./pages.ts";
import { storePicture } from "./pictures.ts";
import {
  lockPortfolio,
  openCurrent,
  openVersion,
  type PageRow,
  pagesOf,
  renewRevision,
} from "./rows.ts";

const pageCall = "GET /internal/accounts/:accountId/former-page";
type FormerPage = z.output<(typeof internalFormerPageCalls)[typeof pageCall]["answer"]>;
type Context = Pick<StudioContext, "sql" | "keys" | "clock">;

/**
 * Makes a portfolio of each page that accounts published before there were portfolios: name, photo, headline, summary
 * and links, in the language of the account, published where the page was. Where its owner has begun a page in this
 * language already, it is a version of that one. Then the former page is deleted. A process that ends in between loses
 * nothing; an account that was erased meanwhile keeps nothing.
 * @returns how many pages were taken over
 * @throws when the accounts service does not answer
 */
export async function takeOverPages(context: Context, accounts: ServiceAddress): Promise<number> {
  const call = callService(accounts, internalFormerPageCalls);
  const { accountIds } = await call("GET /internal/accounts/former-pages", {});
  for (const accountId of accountIds) {
    const params = { accountId };
    const former = await call(pageCall, { params }).catch(unlessFound);
    if (former === undefined) continue;
    const photo = former.hasPhoto
      ? await readServiceFile(accounts, `/internal/accounts/${accountId}/photo`).catch(unlessFound)
      : undefined;
    await takeOver(context, former, photo);
    const done = await call("DELETE /internal/accounts/:accountId/former-page", { params });
    if (!done.account) await context.sql.begin((tx) => eraseCvs(tx, accountId));
  }
  return accountIds.length;
}

function unlessFound(error: unknown): undefined {
  if (error instanceof ServiceRefusal && error.status === 404) return undefined;
  throw error;
}

async function takeOver(
  context: Context,
  former: FormerPage,
  photo: Buffer | undefined,
): Promise<void> {
  const { accountId, language } = former;
  const drawn = photo && (await redrawWhole(photo));
  await context.sql.begin(async (tx) => {
    const { sealer } = await lockPortfolio(tx, context, accountId);
    const known = await pagesOf(tx, accountId);
    const page = known.find((one) => one.language === language);
    if (page !== undefined && (await holds(tx, sealer, page, documentOf(former, undefined))))
      return;
    const storing = { sealer, accountId, nowMs: context.clock() };
    const file = drawn && (await storePicture(tx, storing, drawn));
    const document = documentOf(former, file);
    if (page !== undefined) return keepInHistory(tx, context, { sealer, page, document });
    await makePage(tx, context, { sealer, accountId, document });
    if (former.page.published && known.length === 0) await publish(tx, context, accountId);
  });
}

/** Whether a page was taken over before: a version says the same, whatever its photo is called. */
async function holds(
  tx: Transaction,
  sealer: Sealer,
  page: PageRow,
  document: PortfolioDocument,
): Promise<boolean> {
  const rows = await tx<{ version: number }[]>`
    select version from studio.portfolio_version
     where account_id = ${page.account_id} and language = ${page.language}`;
  for (const { version } of rows) {
    const kept = (await openVersion(tx, sealer, page, version))?.document;
    if (kept === undefined) continue;
    const nameless = { ...kept, profile: { ...kept.profile, photo: null } };
    if (JSON.stringify(nameless) === JSON.stringify(document)) return true;
  }
  return false;
}

type Kept = {
  readonly sealer: Sealer;
  readonly page: PageRow;
  readonly document: PortfolioDocument;
};

/** What its owner has begun since stays the page; the one of before is the version under it. */
async function keepInHistory(
  tx: Transaction,
  context: Context,
  { sealer, page, document }: Kept,
): Promise<void> {
  const begun = await openCurrent(tx, sealer, page);
  const saved = await savePage(tx, context, { sealer, page, document });
  await savePage(tx, context, { sealer, page: saved, document: begun });
}

async function publish(tx: Transaction, { clock }: Context, accountId: string): Promise<void> {
  await tx`
    update studio.portfolio_page set published = 1, published_at = ${new Date(clock())}
     where account_id = ${accountId}`;
  await tx`update studio.portfolio set state = 'published' where account_id = ${accountId}`;
  await renewRevision(tx, accountId);
}

/** The page as a document; its paragraphs are entries of one summary. */
function documentOf(
  { fullName, language, page: { headline, summary, links } }: FormerPage,
  file: string | undefined,
): PortfolioDocument {
  const paragraphs = summary.split(/\n\s*\n/u).filter((text) => text.trim() !== "");
  const entries = paragraphs.map((text, index) => ({
    id: `about-${index}`,
    text: plainRuns(text),
  }));
  return PortfolioDocument.parse({
    version: 1,
    language,
    look: {},
    profile: {
      fullName,
      headline,
      photo: file === undefined ? null : { file, alt: "" },
      links: links.map((link, index) => ({ id: `link-${index}`, ...link })),
    },
    sections: entries.length === 0 ? [] : [{ id: "about", kind: "summary", entries }],
  });
}
