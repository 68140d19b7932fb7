import type { Passwords } from "@pro-talent/platform/crypto/passwords";
import { networkOf } from "@pro-talent/platform/http/rate-limit";
import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { FastifyRequest } from "fastify";

import { type AttemptLimit, networkLimit } from "./attempts.ts";
import type { AccountKeys } from "./keys.ts";
import type { WeakPasswords } from "./weak-passwords.ts";

/** What the routes of the service work with. */
export type AccountsContext = {
  /** Pool of the role `accounts_app`. */
  readonly sql: Sql;
  readonly clock: Clock;
  readonly keys: AccountKeys;
  readonly passwords: Passwords;
  readonly weakPasswords: WeakPasswords;
  /** Of the site, as in `https://example.com`. */
  readonly publicOrigin: string;
  /** `invitation`: accounts open with a mailed invitation alone. */
  readonly registration: "open" | "invitation";
};

/** The limit of the network that a request comes from. */
export function requestLimit({ keys }: AccountsContext, { ip }: FastifyRequest): AttemptLimit {
  return networkLimit(keys, networkOf(ip));
}
