import { redrawWhole } from "@pro-talent/platform/files/redraw-picture";
import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalFormerPageCalls } from "@pro-talent/schemas/accounts/public-page";
import { PortfolioDocument } from "@pro-talent/schemas/studio/portfolio";
import { plainRuns } from "@pro-talent/schemas/studio/rich-text";
import type { z } from "zod";

import type { StudioContext } from "../context.ts";
import { eraseCvs } from "../erase.ts";
import { makePage } from "./pages.ts";
import { storePicture } from "./pictures.ts";
import { lockPortfolio } from "./rows.ts";

const pageCall = "GET /internal/accounts/:accountId/former-page";
type FormerPage = z.output<(typeof internalFormerPageCalls)[typeof pageCall]["answer"]>;
type Context = Pick<StudioContext, "sql" | "keys" | "clock">;

/**
 * Makes a portfolio of each page that accounts published before there were portfolios: name, photo, headline, summary
 * and links, in the language of the account, published where the page was. Then the page is deleted. A process that
 * ends in between loses nothing; an account that was erased meanwhile keeps nothing.
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
  const { accountId, page } = former;
  const drawn = photo && (await redrawWhole(photo));
  await context.sql.begin(async (tx) => {
    const nowMs = context.clock();
    const { sealer } = await lockPortfolio(tx, context, accountId);
    const [known] = await tx`
      select from studio.portfolio_page where account_id = ${accountId} limit 1`;
    // Taken over before, or its owner has begun another one.
    if (known !== undefined) return;
    const file = drawn && (await storePicture(tx, { sealer, accountId, nowMs }, drawn));
    const document = documentOf(former, file);
    await makePage(tx, context, { sealer, accountId, document });
    if (!page.published) return;
    await tx`
      update studio.portfolio_page set published = 1, published_at = ${new Date(nowMs)}
       where account_id = ${accountId}`;
    await tx`update studio.portfolio set state = 'published' where account_id = ${accountId}`;
  });
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
