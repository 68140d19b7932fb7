import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { factorMethods } from "@pro-talent/schemas/accounts/sign-in";

export type FactorMethod = (typeof factorMethods)[number];

/** What is set up beside the password. */
export type Factors = {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
};

export async function factorsOf(_sql: Queryable, _accountId: string): Promise<Factors> {
  return { totp: false, passkeys: 0, recoveryCodesLeft: 0 };
}

/** The second factors that are set up for an account: once the password was right, one is asked for. */
export async function secondFactorsOf(
  _sql: Queryable,
  _accountId: string,
): Promise<readonly FactorMethod[]> {
  return [];
}
