import { createHmac, timingSafeEqual } from "node:crypto";

import { newsletterPages, newsletterPaths } from "@pro-talent/schemas/newsletter/categories";
import { parse as parseUuid, stringify as uuidText } from "uuid";

import type { LedgerContext } from "../../kernel/module.ts";

/** `confirm` ends with its mail or its use; `manage` is valid for as long as there is a subscriber. */
export type TokenPurpose = "confirm" | "manage";

export type MailToken = {
  readonly purpose: TokenPurpose;
  readonly subscriberId: string;
  /** The confirmation mail that carries it; 0 where that does not matter. */
  readonly mail: number;
};

const tokenLabel = "newsletter-token";
const version = 1;
const purposes: readonly TokenPurpose[] = ["confirm", "manage"];
const claimBytes = 1 + 1 + 16 + 4;
const proofBytes = 20;

/** The key of the tokens, apart from every other use of the ledger's secret. */
export function mailTokenKey({ deriveKey }: Pick<LedgerContext, "deriveKey">): Buffer {
  return deriveKey(tokenLabel);
}

/**
 * The token of a mail: subscriber, purpose and mail, with a proof that only the holder of the key can
 * make. Nothing is stored; single use and expiry follow from the subscriber's events.
 */
export function writeToken(tokenKey: Buffer, token: MailToken): string {
  const claim = Buffer.alloc(claimBytes);
  claim.writeUInt8(version, 0);
  claim.writeUInt8(purposes.indexOf(token.purpose) + 1, 1);
  claim.set(parseUuid(token.subscriberId), 2);
  claim.writeUInt32BE(token.mail, 18);
  return Buffer.concat([claim, proof(tokenKey, claim)]).toString("base64url");
}

/** The keys that tokens were made with: also those of former secrets, so that old mails stay valid. */
export function mailTokenKeys({
  deriveKeys,
}: Pick<LedgerContext, "deriveKeys">): readonly Buffer[] {
  return deriveKeys(tokenLabel);
}

/** The content of a token for this purpose, made with one of the keys; undefined for every other text. */
export function readToken(
  tokenKeys: readonly Buffer[],
  purpose: TokenPurpose,
  token: string,
): MailToken | undefined {
  const bytes = Buffer.from(token, "base64url");
  // The decoder skips what is not of its alphabet: only the canonical spelling is accepted.
  if (bytes.length !== claimBytes + proofBytes || bytes.toString("base64url") !== token) {
    return undefined;
  }
  const claim = bytes.subarray(0, claimBytes);
  const given = bytes.subarray(claimBytes);
  if (!tokenKeys.some((key) => timingSafeEqual(proof(key, claim), given))) return undefined;
  if (claim.readUInt8(0) !== version) return undefined;
  if (purposes[claim.readUInt8(1) - 1] !== purpose) return undefined;
  return {
    purpose,
    subscriberId: uuidText(claim.subarray(2, 18)),
    mail: claim.readUInt32BE(18),
  };
}

function proof(tokenKey: Buffer, claim: Buffer): Buffer {
  return createHmac("sha256", tokenKey).update(claim).digest().subarray(0, proofBytes);
}

/** The addresses in mails. */
export type MailLinks = {
  readonly confirm: (subscriberId: string, mail: number) => string;
  /** The preference page, which also unsubscribes. */
  readonly manage: (subscriberId: string) => string;
  /** Where mail programs post to unsubscribe (RFC 8058). */
  readonly unsubscribe: (subscriberId: string) => string;
};

/** The links of one site. */
export function mailLinks(context: Pick<LedgerContext, "publicOrigin" | "deriveKey">): MailLinks {
  const { publicOrigin: origin } = context;
  const tokenKey = mailTokenKey(context);
  // A token needs no escaping.
  const link =
    (path: string, purpose: TokenPurpose) =>
    (subscriberId: string, mail = 0): string =>
      `${origin}${path}?token=${writeToken(tokenKey, { purpose, subscriberId, mail })}`;
  const manage = link(newsletterPages.preferences, "manage");
  const unsubscribe = link(newsletterPaths.unsubscribe, "manage");
  return { confirm: link(newsletterPages.confirm, "confirm"), manage, unsubscribe };
}
