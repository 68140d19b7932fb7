import { createHash } from "node:crypto";

import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { internalOwnerCalls, ownerCookie } from "@pro-talent/schemas/accounts/internal-calls";
import { LRUCache } from "lru-cache";

/** Whether the cookies of a request are those of an account's own browser. */
export type IsOwner = (accountId: string, cookies: string | undefined) => Promise<boolean>;

/** A sign-out is known after so long. */
const freshMs = 60_000;
const cookiesMax = 10_000;
/** An open does not wait longer; it is then taken for someone else's. */
const patienceMs = 300;

/** Asks the accounts service, of requests with the cookie alone. */
export function ownersOver(accounts: ServiceAddress, log: Logger): IsOwner {
  const call = callService(accounts, internalOwnerCalls, patienceMs);
  const known = new LRUCache<string, { readonly accountId: string | null }>({
    max: cookiesMax,
    ttl: freshMs,
  });
  return async (accountId, cookies) => {
    const cookie = ownerCookieIn(cookies);
    if (cookie === undefined) return false;
    const name = createHash("sha256").update(cookie).digest("base64");
    const found =
      known.get(name) ??
      (await call("POST /internal/accounts/owner", { body: { cookie } }).catch((error: unknown) => {
        log.warn({ err: error }, "whose open it is could not be asked");
        return undefined;
      }));
    if (found !== undefined) known.set(name, found);
    return found?.accountId === accountId;
  };
}

const cookiePattern = new RegExp(`(?:^|;\\s*)${ownerCookie}=([A-Za-z0-9_-]{20,200})(?:;|$)`, "u");

function ownerCookieIn(cookies: string | undefined): string | undefined {
  return cookies === undefined ? undefined : cookiePattern.exec(cookies)?.[1];
}
