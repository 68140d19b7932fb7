import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

import type { z } from "zod";

/** An Ed25519 key; its id is the public key in hexadecimal. */
export type SigningKey = { readonly id: string; readonly privateKey: KeyObject };

/** A line was changed, cut, signed under another key, or does not follow the line before it. */
export class SignatureBroken extends Error {
  override readonly name = "SignatureBroken";
}

/** DER of an Ed25519 private key up to its 32 bytes, and of a public one (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const linePattern = /^\{"entry":(?<entry>\{.*\}),"signature":"(?<signature>[0-9a-f]{128})"\}$/u;

/** The key made of a secret of 32 bytes. */
export function signingKey(secret: Buffer): SigningKey {
  const der = Buffer.concat([privatePrefix, secret]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return { id: spki.subarray(publicPrefix.length).toString("hex"), privateKey };
}

/**
 * One line of JSON, `{"entry":…,"signature":…}`. The signature covers the bytes of the entry as they
 * stand in the line, and the purpose, so that no line passes for one of another file.
 */
export function signedLine(key: SigningKey, purpose: string, entry: object): string {
  const text = JSON.stringify(entry);
  const signature = sign(null, signedBytes(purpose, text), key.privateKey).toString("hex");
  return `{"entry":${text},"signature":"${signature}"}`;
}

/**
 * The entry of a {@link signedLine}.
 * @param keyId the public key in hexadecimal
 * @throws SignatureBroken; ZodError for a signed entry of another version
 */
export function openSignedLine<Contract extends z.ZodType>(
  line: string,
  { keyId, purpose, contract }: { keyId: string; purpose: string; contract: Contract },
): z.infer<Contract> {
  const { entry = "", signature = "" } = linePattern.exec(line)?.groups ?? {};
  const bytes = signedBytes(purpose, entry);
  if (entry === "" || !verify(null, bytes, publicKeyOf(keyId), Buffer.from(signature, "hex"))) {
    throw new SignatureBroken(`What is signed as ${purpose} was changed, or by another key`);
  }
  return contract.parse(JSON.parse(entry));
}

/** The last key: a log has many lines under one. */
let last: { readonly keyId: string; readonly publicKey: KeyObject } | undefined;

function publicKeyOf(keyId: string): KeyObject {
  if (last?.keyId === keyId) return last.publicKey;
  const der = Buffer.concat([publicPrefix, Buffer.from(keyId, "hex")]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  last = { keyId, publicKey };
  return publicKey;
}

function signedBytes(purpose: string, text: string): Buffer {
  return Buffer.from(`pro-talent ${purpose}\n${text}`, "utf8");
}
