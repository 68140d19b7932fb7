import { createHmac, timingSafeEqual } from "node:crypto";

import { addPlainForms } from "@pro-talent/platform/http/plain-forms";
import type { FastifyInstance } from "fastify";
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

/**
 * Lets mail programs post their one click to the calls of a scope. None of them has a GET: programs that look into links
 * before the reader does would turn mails off.
 */
export function addOneClicks(app: FastifyInstance): void {
  addPlainForms(app);
  // RFC 8058 §3.1 prefers this type; its only field repeats what the header states.
  app.addContentTypeParser("multipart/form-data", { parseAs: "string" }, (_request, _body, done) =>
    done(null, {}),
  );
}

/**
 * Where mail programs post to turn mails off; the address needs nothing stored.
 * @param of the account, or what its mails are about
 */
export function offAddress(
  { deriveKey, publicOrigin }: Pick<LedgerContext, "deriveKey" | "publicOrigin">,
  { label, path }: MailKind,
  of: string,
): string {
  const id = Buffer.from(parseUuid(of));
  const token = Buffer.concat([id, proof(deriveKey(label), id)]).toString("base64url");
  return `${publicOrigin}${path}?token=${token}`;
}

/** What a token was made of, with today's secret or a former one; undefined for every other text. */
export function idOfToken(
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
