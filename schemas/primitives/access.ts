/** Every account is a holder; the other roles are granted besides. */
export const roles = ["holder", "officer", "analyst", "administrator"] as const;
export type Role = (typeof roles)[number];

/** Roles that reach the data of others: each of their sign-ins needs a second factor. */
export const staffRoles = [
  "officer",
  "analyst",
  "administrator",
] as const satisfies readonly Role[];

/** Who may use a route that needs an account. */
export type AccountAccess = {
  /** One of them is enough. */
  readonly roles: readonly [Role, ...Role[]];
  /** The account was authenticated in the last minutes ({@link stepUpMinutes}), not only signed in. */
  readonly stepUp?: true;
  /** Also for an account of staff whose sign-in lacks its second factor: what is needed to set one up. */
  readonly withoutFactor?: true;
};

/** What an access token of an account may be made to read. */
export const tokenScopes = ["links:read", "opens:read", "analytics:query"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** A call for programs of account holders, with an access token that has this scope; never a sign-in. */
export type TokenAccess = { readonly scope: TokenScope };

/**
 * `public`: anyone. `internal`: the other services, with the internal token; never a browser. `keyed`:
 * a server of the site's operator, with a key of the environment; without any key, no one.
 */
export type Access = "public" | "internal" | "keyed" | AccountAccess | TokenAccess;

/** Any account. */
export const signedIn = { roles: ["holder"] } as const satisfies AccountAccess;

/** How long an authentication counts as recent. */
export const stepUpMinutes = 10;

/** What a sign-in session shows of its account. */
export type SignedIn = {
  readonly accountId: string;
  readonly sessionId: string;
  readonly roles: readonly Role[];
  /** A second factor, or a passkey that verified its user, was part of the sign-in. */
  readonly factor: boolean;
  /** When the account was last authenticated, in milliseconds since 1970. */
  readonly authenticatedMs: number;
};

/** What an access token shows of its account. */
export type TokenHolder = {
  readonly accountId: string;
  readonly tokenId: string;
  readonly scopes: readonly TokenScope[];
};

/** Why an account may not use a route: codes of problems that any call with an account may answer. */
export type AccessRefusal = "forbidden" | "factor_required" | "step_up_required";

/** Whether an account reaches the data of others. */
export const isStaff = (account: Pick<SignedIn, "roles">): boolean =>
  staffRoles.some((role) => account.roles.includes(role));

/**
 * Whether an account may use a route.
 * @param nowMs milliseconds since 1970
 * @returns why not, or undefined
 */
export function refusalOf(
  access: AccountAccess,
  account: Pick<SignedIn, "roles" | "factor" | "authenticatedMs">,
  nowMs: number,
): AccessRefusal | undefined {
  if (!access.roles.some((role) => account.roles.includes(role))) return "forbidden";
  if (isStaff(account) && !account.factor && access.withoutFactor !== true)
    return "factor_required";
  const isRecent = nowMs - account.authenticatedMs < stepUpMinutes * 60_000;
  return access.stepUp === true && !isRecent ? "step_up_required" : undefined;
}
