import { createHmac, hkdfSync, randomBytes } from "node:crypto";

import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { stringify as uuidText } from "uuid";

/** A secret that seals visit sessions, and the short public id by which a token names it. */
export type TokenKey = { id: Buffer; key: Buffer };

export type DerivedKeys = {
  /** The first one seals; all of them open. */
  tokenKeys: readonly TokenKey[];
  /** Keys the pseudonyms of visitors. */
  visitorKey: Buffer;
  /** Makes the keys by which consenting visitors are recognised at links. */
  readersKey: Buffer;
  /** Seal the salts that recognise visitors of links: the first one seals, all open. */
  saltKeys: readonly Buffer[];
  /** Seal what the page of an open knows into its address: the first one seals, all open. */
  ticketKeys: readonly Buffer[];
};

export const tokenKeyIdBytes = 4;

/** One independent key per purpose from one secret (HKDF with SHA-256, RFC 5869). */
function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `pro-talent collector ${purpose}`, bytes));
}

/**
 * The collector's keys. To rotate, put a new secret in front and drop the old one a day later, when
 * its last visit session has ended. Pseudonyms come from the last secret, or from `visitorSecret`
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
    saltKeys: secrets.map((secret) => derive(secret, "salts of link visitors", 32)),
    ticketKeys: secrets.map((secret) => derive(secret, "viewing tickets", 32)),
    visitorKey: derive(visitorSecret ?? oldest, "visitor pseudonym", 32),
    readersKey: derive(visitorSecret ?? oldest, "consenting visitors of links", 32),
  };
}

/** Makes the one form of an anonymous id that is ever stored. */
export type Pseudonymise = (anonymousId: string) => VisitorId;

/**
 * Keyed pseudonym: the first 128 bits of HMAC-SHA-256, with the bits of UUID version 8 (RFC 9562
 * §5.8). Neither it nor the anonymous id can be computed from the other without the key.
 */
export function createPseudonyms(key: Buffer): Pseudonymise {
  return (anonymousId) => keyedId(key, anonymousId);
}

function keyedId(key: Buffer, text: string): VisitorId {
  const bytes = createHmac("sha256", key).update(text).digest().subarray(0, 16);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return VisitorId.parse(uuidText(bytes));
}

/** Makes the key of one consenting visitor, from which their id at each link is made. */
export type ReaderKeyOf = (visitorId: VisitorId) => Buffer;

export function createReaderKeys(key: Buffer): ReaderKeyOf {
  return (visitorId) => createHmac("sha256", key).update(visitorId).digest();
}

/**
 * The id of a consenting visitor at one link, a version 8 UUID as all keyed pseudonyms. Without their
 * key it is related neither to their ids at other links nor to the one of the site's analytics.
 */
export const visitorOfLink = (readerKey: Buffer, linkId: string): VisitorId =>
  keyedId(readerKey, linkId);

/** An anonymous id for a client that has none: milliseconds since 1970 and 96 random bits. */
export function makeAnonymousId(nowMs: number): string {
  return `${nowMs}-${randomBytes(12).toString("hex")}`;
}
