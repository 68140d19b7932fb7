import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { factorMethods } from "@pro-talent/schemas/accounts/sign-in";

export type FactorMethod = (typeof factorMethods)[number];

/** The second factors that are set up for an account: once the password was right, one is asked for. */
export async function secondFactorsOf(
  _sql: Queryable,
  _accountId: string,
): Promise<readonly FactorMethod[]> {
  return [];
}
