import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalLookedCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { internalBillingCalls } from "@pro-talent/schemas/billing/calls";
import { internalLinkCalls } from "@pro-talent/schemas/links/calls";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { LRUCache } from "lru-cache";

/** When an owner last looked: at all links together, and at each. */
export type Looked = {
  readonly allAt: Instant | null;
  readonly links: readonly { readonly linkId: string; readonly at: Instant }[];
};

/** What other services know of owners. Each throws `upstream_unavailable` where they do not answer. */
export type Owners = {
  /** The links that an account has now, up to two seconds old; those that are deleted are not among them. */
  readonly linksOf: (accountId: string) => Promise<readonly string[]>;
  /** When the oldest of them was made; null where there is none. */
  readonly oldestLinkAt: (accountId: string) => Promise<Instant | null>;
  /**
   * Whether the plan includes analytics, and the account is not to be deleted: a yes is up to half a minute
   * old, a no as old as the links.
   */
  readonly accessOf: (accountId: string) => Promise<"granted" | "not-included" | "restricted">;
  readonly looked: (accountId: string) => Promise<Looked>;
  readonly look: (accountId: string, linkId: string | null) => Promise<void>;
};

const keptMs = 2_000;
/** Of what was granted: one who has just bought a plan does not wait for it. */
const grantedMs = 30_000;
const accountsMax = 10_000;

/** Asks the ledger and the accounts service. */
export function ownersOver(ledger: ServiceAddress, accounts: ServiceAddress): Owners {
  const links = callService(ledger, internalLinkCalls);
  const billing = callService(ledger, internalBillingCalls);
  const account = callService(accounts, internalLookedCalls);
  const paramsOf = (accountId: string) => ({ params: { accountId } });
  const planOf = kept((accountId) =>
    billing("GET /internal/entitlements/:accountId", paramsOf(accountId)),
  );
  const ownLinks = kept((accountId) =>
    links("GET /internal/links/of/:accountId", paramsOf(accountId)),
  );
  const granted = new LRUCache<string, true>({ max: accountsMax, ttl: grantedMs });
  const looked = "/internal/accounts/:accountId/looked";
  return {
    linksOf: async (accountId) => (await ownLinks(accountId)).linkIds,
    oldestLinkAt: async (accountId) => (await ownLinks(accountId)).oldestAt,
    accessOf: async (accountId) => {
      if (granted.has(accountId)) return "granted";
      const { entitlements, restricted } = await planOf(accountId);
      if (restricted) return "restricted";
      if (!entitlements.includes("read-link-analytics")) return "not-included";
      granted.set(accountId, true);
      return "granted";
    },
    looked: (accountId) => account(`GET ${looked}`, paramsOf(accountId)).catch(unavailable),
    look: async (accountId, linkId) => {
      const request = { ...paramsOf(accountId), body: { linkId } };
      await account(`POST ${looked}`, request).catch(unavailable);
    },
  };
}

/** Answers about accounts, kept for a time each; a failure is not kept. */
function kept<Answer extends object>(
  ask: (accountId: string) => Promise<Answer>,
): (accountId: string) => Promise<Answer> {
  const answers = new LRUCache<string, Promise<Answer>>({ max: accountsMax, ttl: keptMs });
  return (accountId) => {
    const known = answers.get(accountId);
    if (known !== undefined) return known;
    const asked = ask(accountId).catch((error: unknown) => {
      answers.delete(accountId);
      return unavailable(error);
    });
    answers.set(accountId, asked);
    return asked;
  };
}

function unavailable(cause: unknown): never {
  throw new ProblemError("upstream_unavailable", { cause });
}

/** The time from which an open of a link is new to its owner: when they looked, at the latest at all links. */
export function seenAt(looked: Looked, linkId: string): Instant | null {
  const at = looked.links.find((link) => link.linkId === linkId)?.at ?? null;
  if (at === null || looked.allAt === null) return at ?? looked.allAt;
  return instantFromMs(Math.max(Date.parse(at), Date.parse(looked.allAt)));
}
