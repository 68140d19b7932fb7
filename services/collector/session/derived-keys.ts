import { hkdfSync } from "node:crypto";

/** A secret for sealing session tokens, and the short public id by which a token names it. */
export type TokenKey = { id: Buffer; key: Buffer };

export type DerivedKeys = {
  /** The first one seals; all of them open. */
  tokenKeys: readonly TokenKey[];
  /** Keys the pseudonyms of visitors. */
  visitorKey: Buffer;
};

export const tokenKeyIdBytes = 4;

/** One independent key per purpose from one secret (HKDF with SHA-256, RFC 5869). */
function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `pro-talent collector ${purpose}`, bytes));
}

/**
 * The collector's keys. To rotate, put a new secret in front and drop the old one a day later,
 * when its last session has ended. Pseudonyms come from the last secret, or from `visitorSecret`
 * when it is given: keep the former there to drop an old secret without making every visitor new.
 */
export function deriveKeys(secrets: readonly string[], visitorSecret?: string): DerivedKeys {
  const oldest = secrets.at(-1);
  if (oldest === undefined) throw new Error("The collector needs at least one secret.");
  return {
    tokenKeys: secrets.map((secret) => ({
      id: derive(secret, "session token key id", tokenKeyIdBytes),
      key: derive(secret, "session token", 32),
    })),
    visitorKey: derive(visitorSecret ?? oldest, "visitor pseudonym", 32),
  };
}
