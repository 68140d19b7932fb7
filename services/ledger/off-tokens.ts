import { createHmac, timingSafeEqual } from "node:crypto";

import { parse as parseUuid, stringify as uuidText } from "uuid";

import type { LedgerContext } from "./kernel/module.ts";

const idBytes = 16;
const proofBytes = 20;

/** One kind of mail that one click turns off. */
type MailKind = {
  /** Of the key that the proofs are made with. */
  readonly label: string;
  /** Where mail programs post. */
  readonly path: string;
};

/** Where mail programs post to turn the mails of an account off; the address needs nothing stored. */
export function offAddress(
  { deriveKey, publicOrigin }: Pick<LedgerContext, "deriveKey" | "publicOrigin">,
  { label, path }: MailKind,
  accountId: string,
): string {
  const id = Buffer.from(parseUuid(accountId));
  const token = Buffer.concat([id, proof(deriveKey(label), id)]).toString("base64url");
  return `${publicOrigin}${path}?token=${token}`;
}

/** The account of a token, made with today's secret or a former one; undefined for every other text. */
export function accountOfToken(
  { deriveKeys }: Pick<LedgerContext, "deriveKeys">,
  { label }: MailKind,
  token: string,
): string | undefined {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== idBytes + proofBytes || bytes.toString("base64url") !== token)
    return undefined;
  const [id, given] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
  const isOurs = deriveKeys(label).some((key) => timingSafeEqual(proof(key, id), given));
  return isOurs ? uuidText(id) : undefined;
}

const proof = (key: Buffer, id: Buffer): Buffer =>
  createHmac("sha256", key).update(id).digest().subarray(0, proofBytes);
