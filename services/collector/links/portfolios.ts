import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalPageCalls, type PageOwner } from "@pro-talent/schemas/accounts/public-page";
import { internalBillingCalls } from "@pro-talent/schemas/billing/calls";
import type { ReportReason } from "@pro-talent/schemas/links/report-reasons";
import {
  internalPortfolioReportCalls,
  type ReaderMessageBody,
} from "@pro-talent/schemas/portfolios/calls";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { internalPortfolioCalls } from "@pro-talent/schemas/studio/portfolio-calls";
import { LRUCache } from "lru-cache";
import type { z } from "zod";

type By = { readonly handle: string } | { readonly accountId: string };
const shownCall = "POST /internal/portfolios/of/:accountId/shown";
type Answer = z.output<(typeof internalPortfolioCalls)[typeof shownCall]["answer"]>;
type Shown = Extract<Answer, { status: "shown" }>;

/** What readers see of an account: its portfolio, and whose it is. */
export type Portfolio = Omit<Shown, "status"> & { readonly owner: PageOwner };
type Message = ReaderMessageBody & { readonly messageId: string };

/** The portfolios of account holders. Every call throws when another service does not answer. */
export type Portfolios = {
  /** One that is published, included in the plan of its owner, not taken down and not restricted. */
  readonly find: (by: By) => Promise<Portfolio | undefined>;
  /** Those that search engines may list, as far as the studio knows; asked anew once in an hour. */
  readonly listed: () => Promise<readonly Portfolio[]>;
  readonly unlock: (accountId: string, password: string) => Promise<boolean>;
  /** Undefined where readers see no such picture. */
  readonly picture: (accountId: string, file: string) => Promise<Buffer | undefined>;
  readonly cv: (accountId: string, language: Locale) => Promise<Buffer | undefined>;
  readonly report: (accountId: string, reason: ReportReason) => Promise<void>;
  readonly send: (accountId: string, message: Message) => Promise<void>;
};

/** What was taken back or down, or whose plan or time has ended, is shown no more after so long. */
const freshMs = 2_000;
const portfoliosMax = 10_000;
const listedMs = 60 * 60_000;

export type PortfolioServices = {
  readonly accounts: ServiceAddress;
  readonly ledger: ServiceAddress;
  readonly studio: ServiceAddress;
};

/**
 * Asks the accounts service whose a page is, the studio for the page, and the ledger whether it may be shown.
 * Answers of the last moment are repeated, a question under way is shared, and a page that did not change is not
 * sent again.
 */
export function portfoliosOver(services: PortfolioServices, clock: () => number): Portfolios {
  const { ledger, studio } = services;
  const callStudio = callService(studio, internalPortfolioCalls, 3_000);
  const callReports = callService(ledger, internalPortfolioReportCalls, 3_000);
  const ask = asking(services);
  const known = new LRUCache<string, { readonly found: Portfolio; readonly atMs: number }>({
    max: portfoliosMax,
  });
  const underWay = new Map<string, Promise<Portfolio | undefined>>();
  const askAnew = async (by: By, name: string): Promise<Portfolio | undefined> => {
    try {
      const found = await ask(by, known.get(name)?.found);
      if (found === undefined) known.delete(name);
      else known.set(name, { found, atMs: clock() });
      return found;
    } finally {
      underWay.delete(name);
    }
  };
  const find: Portfolios["find"] = async (by) => {
    const name = JSON.stringify(by);
    const last = known.get(name);
    if (last !== undefined && clock() - last.atMs < freshMs)
      return unlessEnded(last.found, clock());
    const question = underWay.get(name) ?? askAnew(by, name);
    underWay.set(name, question);
    const found = await question;
    return found && unlessEnded(found, clock());
  };
  return {
    find,
    listed: listedOver(callStudio, find, clock),
    unlock: async (accountId, password) => {
      const call = "POST /internal/portfolios/of/:accountId/unlock";
      return (await callStudio(call, { params: { accountId }, body: { password } })).opens;
    },
    picture: (accountId, file) =>
      readServiceFile(studio, `/internal/portfolios/of/${accountId}/pictures/${file}`).catch(
        unlessFound,
      ),
    cv: (accountId, language) =>
      readServiceFile(studio, `/internal/portfolios/of/${accountId}/cv/${language}`).catch(
        unlessFound,
      ),
    report: async (accountId, reason) => {
      const call = "POST /internal/portfolios/:accountId/report";
      await callReports(call, { params: { accountId }, body: { reason } });
    },
    send: async (accountId, message) => {
      const call = "POST /internal/portfolios/:accountId/messages";
      await callReports(call, { params: { accountId }, body: message });
    },
  };
}

type Studio = ReturnType<typeof callService<typeof internalPortfolioCalls>>;

/** One after the other: a sitemap can wait, readers cannot. */
function listedOver(callStudio: Studio, find: Portfolios["find"], clock: () => number) {
  let last: { readonly found: Promise<Portfolio[]>; readonly atMs: number } | undefined;
  const ask = async (): Promise<Portfolio[]> => {
    const { accountIds } = await callStudio("GET /internal/portfolios/listed", {});
    const found: Portfolio[] = [];
    for (const accountId of accountIds) {
      const portfolio = await find({ accountId });
      if (portfolio !== undefined) found.push(portfolio);
    }
    return found;
  };
  return (): Promise<readonly Portfolio[]> => {
    if (last === undefined || clock() - last.atMs >= listedMs) {
      const asked = { found: ask(), atMs: clock() };
      last = asked;
      asked.found.catch(() => (last = last === asked ? undefined : last));
    }
    return last.found;
  };
}

/** Asks three services for a portfolio. @param last what they said before */
function asking({ accounts, ledger, studio }: PortfolioServices) {
  const callAccounts = callService(accounts, internalPageCalls, 3_000);
  const callStudio = callService(studio, internalPortfolioCalls, 3_000);
  const callBilling = callService(ledger, internalBillingCalls, 3_000);
  const callReports = callService(ledger, internalPortfolioReportCalls, 3_000);
  return async (by: By, last: Portfolio | undefined): Promise<Portfolio | undefined> => {
    const owner = await callAccounts("POST /internal/accounts/page", { body: by }).catch(
      unlessFound,
    );
    if (owner === undefined) return undefined;
    const { accountId } = owner;
    const params = { accountId };
    const known = last?.owner.accountId === accountId ? last : undefined;
    const revision = known?.revision ?? null;
    const [shown, plan, { takenDown }] = await Promise.all([
      callStudio(shownCall, { params, body: { revision } }),
      callBilling("GET /internal/entitlements/:accountId", { params }),
      callReports("GET /internal/portfolios/:accountId", { params }),
    ]);
    const mayShow = plan.entitlements.includes("publish-portfolio") && !plan.restricted;
    if (!mayShow || takenDown) return undefined;
    if (shown.status === "shown") return { ...shown, owner };
    return shown.status === "unchanged" && known ? { ...known, owner } : undefined;
  };
}

const unlessEnded = (portfolio: Portfolio, nowMs: number): Portfolio | undefined =>
  portfolio.expiresAt !== null && Date.parse(portfolio.expiresAt) <= nowMs ? undefined : portfolio;

function unlessFound(error: unknown): undefined {
  if (error instanceof ServiceRefusal && [404, 422].includes(error.status)) return undefined;
  throw error;
}
