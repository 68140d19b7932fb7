import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import { type Entitlement, entitlementsOf } from "@pro-talent/schemas/subscription/entitlements";
import { plans } from "@pro-talent/schemas/subscription/plans";

/** The codes of the plans that include something. */
export const plansWith = (entitlement: Entitlement): readonly string[] =>
  plans.filter(({ features }) => entitlementsOf(features).has(entitlement)).map(({ code }) => code);

const plansWithOpens = plansWith("read-link-analytics");

const plansWithCurrentCv = plansWith("receive-cv-automatically");

/** Whether an account's plan keeps a current file of each CV, which links may show. */
export const includesCurrentCv = (
  sql: Queryable,
  accountId: string,
  now: Instant,
): Promise<boolean> => isPlanOneOf(sql, plansWithCurrentCv, { accountId, now });

/**
 * Whether an account's plan includes the opens of its links, and so mails and webhooks about them. Read
 * from what billing keeps, for the domains that may not import it.
 */
export const includesOpens = (sql: Queryable, accountId: string, now: Instant): Promise<boolean> =>
  isPlanOneOf(sql, plansWithOpens, { accountId, now });

const plansWithTracker = plansWith("track-applications");

/** Whether an account's plan includes the tracker. */
export const includesTracker = (
  sql: Queryable,
  accountId: string,
  now: Instant,
): Promise<boolean> => isPlanOneOf(sql, plansWithTracker, { accountId, now });

async function isPlanOneOf(
  sql: Queryable,
  codes: readonly string[],
  { accountId, now }: { readonly accountId: string; readonly now: Instant },
): Promise<boolean> {
  const rows = await sql`
    select from ledger.billing_entitlement
     where account_id = ${accountId} and (until is null or until > ${now})
       and plan = any (${[...codes]}::text[])`;
  return rows.length > 0;
}
