import { createHmac, timingSafeEqual } from "node:crypto";

import { privacyFormLimits as limit, privacyFormPages } from "@pro-talent/schemas/privacy/form";
import { parse as parseUuid, stringify as uuidText, validate as isUuid } from "uuid";

import type { LedgerContext } from "../../../kernel/module.ts";

type Keys = Pick<LedgerContext, "deriveKey" | "deriveKeys">;

const tokenLabel = "privacy-form-token";
const codeLabel = "privacy-form-code";
const idBytes = 16;
const proofBytes = 20;

/**
 * The token of a request, with a proof that only the holder of the key can make. Nothing is stored: it is
 * the right to see the request and to end it, for as long as the request is known.
 */
function tokenOf(key: Buffer, requestId: string): string {
  const id = parseUuid(requestId);
  return Buffer.concat([id, proof(key, id)]).toString("base64url");
}

/** The page of a request, with its token in the fragment, which no server and no referrer receives. */
export const statusLink = (
  { publicOrigin, deriveKey }: Pick<LedgerContext, "publicOrigin" | "deriveKey">,
  requestId: string,
): string =>
  `${publicOrigin}${privacyFormPages.status}#${tokenOf(deriveKey(tokenLabel), requestId)}`;

/** The request of a token; undefined for every other text. */
export function requestOfToken({ deriveKeys }: Keys, token: string): string | undefined {
  const bytes = Buffer.from(token, "base64url");
  // The decoder skips what is not of its alphabet: only the canonical spelling is accepted.
  if (bytes.length !== idBytes + proofBytes || bytes.toString("base64url") !== token)
    return undefined;
  const [id, given] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)];
  const isOurs = deriveKeys(tokenLabel).some((key) => timingSafeEqual(proof(key, id), given));
  if (!isOurs) return undefined;
  const text = uuidText(id);
  return isUuid(text) ? text : undefined;
}

const proof = (key: Buffer, id: Uint8Array): Buffer =>
  createHmac("sha256", key).update(id).digest().subarray(0, proofBytes);

/**
 * The code of a mail: bound to its request and its number. It is not stored either, so that no copy of the
 * database holds it, and a mail that is sent again has the same one.
 */
export function codeOf({ deriveKey }: Pick<Keys, "deriveKey">, id: string, number: number): string {
  return codeBy(deriveKey(codeLabel), id, number);
}

function codeBy(key: Buffer, requestId: string, number: number): string {
  const digest = createHmac("sha256", key)
    .update(parseUuid(requestId))
    .update(String(number))
    .digest();
  // 48 of 256 bits: the remainder favours no code noticeably.
  const value = digest.readUIntBE(0, 6) % 10 ** limit.codeDigits;
  return String(value).padStart(limit.codeDigits, "0");
}

/** Whether this is the code of that mail; takes as long for every code. */
export function isCode(
  { deriveKeys }: Keys,
  { requestId, number, code }: { requestId: string; number: number; code: string },
): boolean {
  const given = Buffer.from(code.padEnd(limit.codeDigits).slice(0, limit.codeDigits));
  return deriveKeys(codeLabel)
    .map((key) => timingSafeEqual(Buffer.from(codeBy(key, requestId, number)), given))
    .includes(true);
}
