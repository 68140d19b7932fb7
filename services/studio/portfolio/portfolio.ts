import { randomUUID } from "node:crypto";

import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import type { Sealer } from "@pro-talent/platform/crypto/sealer";
import type { CallHandlers } from "@pro-talent/platform/http/add-calls";
import type { Queryable, Transaction } from "@pro-talent/platform/postgres/pool";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import {
  type Look,
  picturesOf,
  plainTheme,
  type PortfolioDocument,
} from "@pro-talent/schemas/studio/portfolio";
import type { Portfolio, portfolioCalls } from "@pro-talent/schemas/studio/portfolio-calls";

import type { StudioContext } from "../context.ts";
import type { Plan, PlanOf } from "./plan.ts";
import {
  findPage,
  findPortfolio,
  lockPortfolio,
  openVersion,
  type PageRow,
  pagesOf,
  pageState,
  type PortfolioRow,
  renewRevision,
  settingsOf,
} from "./rows.ts";

type OwnerCalls = Pick<
  typeof portfolioCalls,
  | "GET /api/portfolio"
  | "PATCH /api/portfolio"
  | "DELETE /api/portfolio/pages/:language"
  | "POST /api/portfolio/publish"
  | "POST /api/portfolio/unpublish"
>;

/** Hashes are sealed under the key of their account, which is outside of the database: no other secret is needed. */
export const portfolioPasswords = openPasswords(Buffer.alloc(0));
const hashBoundTo = (accountId: string): string => `portfolio password ${accountId}`;

/** The hash of the password that a portfolio asks for. */
export const passwordHashOf = (
  sealer: Sealer,
  { sealed_password_hash: sealed, account_id }: PortfolioRow,
): string | undefined =>
  sealed === null ? undefined : sealer.unseal(sealed, hashBoundTo(account_id)).toString();

/** The portfolio of an account as a whole, and what readers see of it. */
export function ownerHandlers(context: StudioContext, planOf: PlanOf): CallHandlers<OwnerCalls> {
  const { sql, keys, clock } = context;
  const answer = async (accountId: string, plan?: Plan) => {
    const sealer = await keys.find(sql, accountId);
    return { portfolio: await wholeOf(sql, sealer, accountId, plan ?? (await planOf(accountId))) };
  };
  return {
    "GET /api/portfolio": (_input, { account: { accountId } }) => answer(accountId),
    "PATCH /api/portfolio": async ({ body }, { account: { accountId }, refuse }) => {
      const { password, ...settings } = body;
      if (typeof settings.expiresAt === "string" && Date.parse(settings.expiresAt) <= clock())
        refuse("portfolio_expiry_past");
      const hash =
        typeof password === "string" ? await portfolioPasswords.hash(password) : password;
      await sql.begin(async (tx) => {
        const { sealer, portfolio } = await lockPortfolio(tx, context, accountId);
        await changeSettings(tx, portfolio, settings);
        if (hash !== undefined) await changePassword(tx, sealer, accountId, hash);
        await renewRevision(tx, accountId);
      });
      return answer(accountId);
    },
    "DELETE /api/portfolio/pages/:language": async (
      { params: { language } },
      { account: { accountId }, refuse },
    ) => {
      await sql.begin(async (tx) => {
        await lockPortfolio(tx, context, accountId);
        const { count } = await tx`
          delete from studio.portfolio_page
           where account_id = ${accountId} and language = ${language}`;
        if (count === 0) refuse("portfolio_page_not_found");
        await renewRevision(tx, accountId);
        await forgetEmpty(tx, accountId);
      });
      return answer(accountId);
    },
    "POST /api/portfolio/publish": async ({ body }, { account: { accountId }, refuse }) => {
      const plan = await planOf(accountId);
      const refused = await sql.begin(async (tx) =>
        publish(tx, context, { accountId, plan, ...body }),
      );
      return refused === undefined ? answer(accountId, plan) : refuse(refused);
    },
    "POST /api/portfolio/unpublish": async (_input, { account: { accountId } }) => {
      await sql.begin(async (tx) => {
        await tx`
          update studio.portfolio_page set published = null, published_at = null
           where account_id = ${accountId}`;
        await tx`update studio.portfolio set state = 'draft' where account_id = ${accountId}`;
        await renewRevision(tx, accountId);
      });
      return answer(accountId);
    },
  };
}

async function wholeOf(
  sql: Queryable,
  sealer: Sealer | undefined,
  accountId: string,
  plan: Plan,
): Promise<Portfolio> {
  const portfolio = await findPortfolio(sql, accountId);
  const pages =
    sealer === undefined
      ? []
      : await Promise.all(
          (await pagesOf(sql, accountId)).map((page) => pageState(sql, sealer, page)),
        );
  const none = { state: "draft", expiresAt: null, inSearch: false, contactForm: false } as const;
  return {
    ...(portfolio === undefined ? none : settingsOf(portfolio)),
    locked: portfolio !== undefined && portfolio.lock_id !== null,
    pages,
    ...plan,
  };
}

type Settings = {
  readonly expiresAt?: string | null | undefined;
  readonly inSearch?: boolean | undefined;
  readonly contactForm?: boolean | undefined;
};

async function changeSettings(
  tx: Transaction,
  { account_id, expires_at, in_search, contact_form }: PortfolioRow,
  { expiresAt, inSearch = in_search, contactForm = contact_form }: Settings,
): Promise<void> {
  const expires =
    expiresAt === undefined ? expires_at : expiresAt === null ? null : new Date(expiresAt);
  await tx`
    update studio.portfolio
       set expires_at = ${expires}, in_search = ${inSearch}, contact_form = ${contactForm}
     where account_id = ${account_id}`;
}

/** @param hash null for no password any more; every reader who gave the one before is asked again */
async function changePassword(
  tx: Transaction,
  sealer: Sealer,
  accountId: string,
  hash: string | null,
): Promise<void> {
  const sealed = hash === null ? null : sealer.seal(Buffer.from(hash), hashBoundTo(accountId));
  await tx`
    update studio.portfolio
       set sealed_password_hash = ${sealed}, lock_id = ${hash === null ? null : randomUUID()}
     where account_id = ${accountId}`;
}

/** Without any page its pictures and settings are nothing that its owner could reach. */
async function forgetEmpty(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    delete from studio.portfolio
     where account_id = ${accountId} and not exists (
       select from studio.portfolio_page page where page.account_id = portfolio.account_id)`;
}

type Publishing = {
  readonly accountId: string;
  readonly plan: Plan;
  readonly state: "published" | "unlisted";
  readonly pages: readonly { readonly language: Locale; readonly version: number }[];
};
type Refusal =
  | "portfolio_not_included"
  | "portfolio_taken_down"
  | "look_not_included"
  | "portfolio_page_not_found"
  | "portfolio_version_not_found"
  | "picture_without_text";

/** Shows these versions, and nothing else. @returns why it is refused; then nothing was changed */
async function publish(
  tx: Transaction,
  context: StudioContext,
  { accountId, plan, state, pages }: Publishing,
): Promise<Refusal | undefined> {
  if (!plan.mayPublish) return "portfolio_not_included";
  if (plan.takenDown) return "portfolio_taken_down";
  const { sealer } = await lockPortfolio(tx, context, accountId);
  for (const { language, version } of pages) {
    const page = await findPage(tx, { account_id: accountId, language });
    if (page === undefined) return "portfolio_page_not_found";
    const opened = await openVersion(tx, sealer, page, version);
    if (opened === undefined) return "portfolio_version_not_found";
    const refusal = refusalOf(opened.document, plan);
    if (refusal !== undefined) return refusal;
  }
  await tx`
    update studio.portfolio_page set published = null, published_at = null
     where account_id = ${accountId}`;
  for (const page of pages) await showVersion(tx, accountId, page, context.clock());
  await tx`update studio.portfolio set state = ${state} where account_id = ${accountId}`;
  await renewRevision(tx, accountId);
  return undefined;
}

const isPlain = ({ theme, accent }: Look): boolean => theme === plainTheme && accent === "ink";

function refusalOf(
  { look, sections }: PortfolioDocument,
  { mayCustomize }: Plan,
): Refusal | undefined {
  if (!mayCustomize && !isPlain(look)) return "look_not_included";
  return picturesOf(sections.filter(({ shown }) => shown)).some(({ alt }) => alt === "")
    ? "picture_without_text"
    : undefined;
}

const showVersion = (
  tx: Transaction,
  account_id: PageRow["account_id"],
  { language, version }: Publishing["pages"][number],
  nowMs: number,
) => tx`
  update studio.portfolio_page set published = ${version}, published_at = ${new Date(nowMs)}
   where account_id = ${account_id} and language = ${language}`;
