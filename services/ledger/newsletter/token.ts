import { createHmac, timingSafeEqual } from "node:crypto";

import { deriveKey } from "@pro-talent/platform/crypto/secrets";
import { formatUuid } from "@pro-talent/platform/runtime/uuid-v7";

/** `confirm` ends with its mail or its use; `manage` is good for as long as there is a subscriber. */
export type TokenPurpose = "confirm" | "manage";

export type NewsletterLink = {
  readonly purpose: TokenPurpose;
  readonly subscriberId: string;
  /** The confirmation mail that carries it; 0 where that does not matter. */
  readonly mail: number;
};

const version = 1;
const purposes: readonly TokenPurpose[] = ["confirm", "manage"];
const claimBytes = 1 + 1 + 16 + 4;
const proofBytes = 20;

/** The key of the tokens, apart from every other use of the ledger's secret. */
export function newsletterTokenKey(lookupKey: Buffer): Buffer {
  return deriveKey(lookupKey, "newsletter-token");
}

/**
 * What a mailed link carries: whose it is, what for and of which mail, with a proof that only the
 * holder of the key can make. Nothing is stored; single use and expiry are facts of the stream.
 */
export function writeToken(tokenKey: Buffer, link: NewsletterLink): string {
  const claim = Buffer.alloc(claimBytes);
  claim.writeUInt8(version, 0);
  claim.writeUInt8(purposes.indexOf(link.purpose) + 1, 1);
  claim.write(link.subscriberId.replaceAll("-", ""), 2, 16, "hex");
  claim.writeUInt32BE(link.mail, 18);
  return Buffer.concat([claim, proof(tokenKey, claim)]).toString("base64url");
}

/** The link of a token for this purpose; undefined for anything else that is presented. */
export function readToken(
  tokenKey: Buffer,
  purpose: TokenPurpose,
  token: string,
): NewsletterLink | undefined {
  const bytes = Buffer.from(token, "base64url");
  // The decoder skips what is not of its alphabet: only the one spelling of the bytes counts.
  if (bytes.length !== claimBytes + proofBytes || bytes.toString("base64url") !== token) {
    return undefined;
  }
  const claim = bytes.subarray(0, claimBytes);
  if (!timingSafeEqual(proof(tokenKey, claim), bytes.subarray(claimBytes))) return undefined;
  if (claim.readUInt8(0) !== version) return undefined;
  if (purposes[claim.readUInt8(1) - 1] !== purpose) return undefined;
  return {
    purpose,
    subscriberId: formatUuid(claim.subarray(2, 18)),
    mail: claim.readUInt32BE(18),
  };
}

function proof(tokenKey: Buffer, claim: Buffer): Buffer {
  return createHmac("sha256", tokenKey).update(claim).digest().subarray(0, proofBytes);
}
