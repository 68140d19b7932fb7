import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { factorMethods } from "@pro-talent/schemas/accounts/sign-in";

export type FactorMethod = (typeof factorMethods)[number];

/** What is set up beside the password. */
export type Factors = {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
};

export async function factorsOf(sql: Queryable, accountId: string): Promise<Factors> {
  const rows = await sql<Factors[]>`
    select exists (select from accounts.totp
                    where account_id = ${accountId} and confirmed_at is not null) as "totp",
           (select count(*) from accounts.passkey where account_id = ${accountId}) as "passkeys",
           (select count(*) from accounts.recovery_code
             where account_id = ${accountId} and used_at is null) as "recoveryCodesLeft"`;
  return rows[0] ?? { totp: false, passkeys: 0, recoveryCodesLeft: 0 };
}

/** Recovery codes are no factor of their own: they replace one that was lost. */
export const hasFactor = ({ totp, passkeys }: Factors): boolean => totp || passkeys > 0;

/** The second factors that are set up for an account: once the password was right, one is asked for. */
export async function secondFactorsOf(
  sql: Queryable,
  accountId: string,
): Promise<readonly FactorMethod[]> {
  const factors = await factorsOf(sql, accountId);
  if (!hasFactor(factors)) return [];
  const { totp, passkeys, recoveryCodesLeft } = factors;
  return [
    ...(totp ? ["totp" as const] : []),
    ...(recoveryCodesLeft > 0 ? ["recovery" as const] : []),
    ...(passkeys > 0 ? ["passkey" as const] : []),
  ];
}
