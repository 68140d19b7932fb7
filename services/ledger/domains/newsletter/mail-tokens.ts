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

/**
 * Puts a mailbox on the do-not-mail list. It holds the keyed hash of the mailbox, so that it works for
 * as long as the mail exists, also after the address was erased.
 */
export type NeverToken = {
  readonly subscriberId: string;
  /** 32 bytes (see Mailboxes). */
  readonly mailbox: Buffer;
};

const version = 1;
const purposes: readonly (TokenPurpose | "never")[] = ["confirm", "manage", "never"];
const claimBytes = 1 + 1 + 16 + 4;
const neverClaimBytes = 1 + 1 + 16 + 32;
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
  const claim = claimOf(token.purpose, token.subscriberId, claimBytes);
  claim.writeUInt32BE(token.mail, 18);
  return proven(tokenKey, claim);
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
  const claim = provenClaim(tokenKeys, purpose, token);
  if (claim?.length !== claimBytes) return undefined;
  return { purpose, subscriberId: uuidText(claim.subarray(2, 18)), mail: claim.readUInt32BE(18) };
}

/** A token that needs nothing stored either, and never expires. */
export function writeNeverToken(tokenKey: Buffer, { subscriberId, mailbox }: NeverToken): string {
  const claim = claimOf("never", subscriberId, neverClaimBytes);
  claim.set(mailbox, 18);
  return proven(tokenKey, claim);
}

/** The content of such a token; undefined for every other text. */
export function readNeverToken(
  tokenKeys: readonly Buffer[],
  token: string,
): NeverToken | undefined {
  const claim = provenClaim(tokenKeys, "never", token);
  if (claim?.length !== neverClaimBytes) return undefined;
  return {
    subscriberId: uuidText(claim.subarray(2, 18)),
    mailbox: Buffer.from(claim.subarray(18)),
  };
}

function claimOf(purpose: TokenPurpose | "never", subscriberId: string, bytes: number): Buffer {
  const claim = Buffer.alloc(bytes);
  claim.writeUInt8(version, 0);
  claim.writeUInt8(purposes.indexOf(purpose) + 1, 1);
  claim.set(parseUuid(subscriberId), 2);
  return claim;
}

function proven(tokenKey: Buffer, claim: Buffer): string {
  return Buffer.concat([claim, proof(tokenKey, claim)]).toString("base64url");
}

/** The claim of a token, if it was proven for this purpose. */
function provenClaim(
  tokenKeys: readonly Buffer[],
  purpose: TokenPurpose | "never",
  token: string,
): Buffer | undefined {
  const bytes = Buffer.from(token, "base64url");
  // The decoder skips what is not of its alphabet: only the canonical spelling is accepted.
  if (bytes.length < claimBytes + proofBytes || bytes.toString("base64url") !== token) {
    return undefined;
  }
  const claim = bytes.subarray(0, -proofBytes);
  const given = bytes.subarray(-proofBytes);
  if (!tokenKeys.some((key) => timingSafeEqual(proof(key, claim), given))) return undefined;
  if (claim.readUInt8(0) !== version || purposes[claim.readUInt8(1) - 1] !== purpose) {
    return undefined;
  }
  return claim;
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
  /** The page that puts the mailbox on the do-not-mail list. */
  readonly never: (token: NeverToken) => string;
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
  return {
    confirm: link(newsletterPages.confirm, "confirm"),
    manage,
    unsubscribe,
    never: (token) => `${origin}${newsletterPages.never}?token=${writeNeverToken(tokenKey, token)}`,
  };
}
