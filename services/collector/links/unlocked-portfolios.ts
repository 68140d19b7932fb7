import { seal, SealBroken, unseal } from "@pro-talent/platform/crypto/seal";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { z } from "zod";

import type { Portfolio } from "./portfolios.ts";

/** For so long a reader who gave the password is not asked again. */
export const unlockedMs = 24 * 60 * 60_000;
const boundTo = "unlocked portfolio";
const cookieName = "unlocked";

const Unlocked = z.object({ accountId: Uuid, lock: Uuid, atMs: z.number() });

/** Remembers in a cookie that a reader gave the password of a portfolio; another password ends it. */
export type UnlockedPortfolios = {
  /** The cookie's value. */
  readonly issue: (portfolio: Portfolio, nowMs: number) => string;
  readonly isOpen: (portfolio: Portfolio, cookies: string | undefined, nowMs: number) => boolean;
};

/** @param keys the first one seals, all of them open */
export function unlockedPortfolios(keys: readonly Buffer[]): UnlockedPortfolios {
  const [first] = keys;
  if (first === undefined) throw new Error("The cookies of locked portfolios need a key");
  return {
    issue: ({ owner: { accountId }, lock }, atMs) => {
      const value = seal(first, Buffer.from(JSON.stringify({ accountId, lock, atMs })), boundTo);
      return `${cookieName}=${value.toString("base64url")}`;
    },
    isOpen: ({ owner: { accountId }, lock }, cookies, nowMs) => {
      if (lock === null) return true;
      const given = cookies?.split(/;\s*/u).filter((one) => one.startsWith(`${cookieName}=`)) ?? [];
      return given.some((cookie) => {
        const known = opened(keys, cookie.slice(cookieName.length + 1));
        if (known?.accountId !== accountId || known.lock !== lock) return false;
        return nowMs - known.atMs < unlockedMs;
      });
    },
  };
}

function opened(keys: readonly Buffer[], value: string): z.infer<typeof Unlocked> | undefined {
  for (const key of keys) {
    try {
      const plain = unseal(key, Buffer.from(value, "base64url"), boundTo);
      return Unlocked.parse(JSON.parse(plain.toString("utf8")));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
    }
  }
  return undefined;
}
