import {
  callService,
  readServiceFile,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalPageCalls, type ShownPage } from "@pro-talent/schemas/accounts/public-page";
import { internalBillingCalls } from "@pro-talent/schemas/billing/calls";
import { LRUCache } from "lru-cache";

type By = { readonly handle: string } | { readonly accountId: string };

/** The public pages of account holders. */
export type OwnerPages = {
  /**
   * A published page that the plan of its owner includes; none while the account is to be deleted.
   * @throws when another service does not answer
   */
  readonly find: (by: By) => Promise<ShownPage | undefined>;
  /** The photo of such a page, as WebP. @throws when there is none, or no answer */
  readonly photo: (accountId: string) => Promise<Buffer>;
};

/** A page that is taken back, or whose plan has ended, is shown no more after so long. */
const freshMs = 2_000;
const pagesMax = 10_000;

/** Asks the accounts service for the page, and the ledger whether the plan includes one. */
export function ownerPagesOver(accounts: ServiceAddress, ledger: ServiceAddress): OwnerPages {
  const callAccounts = callService(accounts, internalPageCalls, 3_000);
  const callLedger = callService(ledger, internalBillingCalls, 3_000);
  const known = new LRUCache<string, ShownPage>({
    max: pagesMax,
    ttl: freshMs,
  });
  const ask = async (by: By): Promise<ShownPage | undefined> => {
    const page = await callAccounts("POST /internal/accounts/page", { body: by }).catch(
      unknownPage,
    );
    if (page === undefined) return undefined;
    const { accountId } = page;
    const asked = { params: { accountId } };
    const call = "GET /internal/entitlements/:accountId";
    const { entitlements, restricted } = await callLedger(call, asked);
    return entitlements.includes("publish-portfolio") && !restricted ? page : undefined;
  };
  return {
    find: async (by) => {
      const name = JSON.stringify(by);
      const last = known.get(name);
      if (last !== undefined) return last;
      const page = await ask(by);
      if (page !== undefined) known.set(name, page);
      return page;
    },
    photo: (accountId) => readServiceFile(accounts, `/internal/accounts/${accountId}/page/photo`),
  };
}

function unknownPage(error: unknown): undefined {
  if (error instanceof ServiceRefusal && [404, 422].includes(error.status)) return undefined;
  throw error;
}
