import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

import { SignedHead } from "@pro-talent/schemas/ledger/heads";

import { canonicalJson } from "../kernel/canonical-json.ts";

/** The private key that signs heads; it never enters the database. */
export type HeadKey = { readonly id: string; readonly privateKey: KeyObject };

/** DER of an Ed25519 private key up to its 32 bytes, and of a public one (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

/**
 * What a signature says. `head`: the chain ends here, and continues the head before. `verified`: all
 * checks of the verifier found nothing up to here.
 */
export type Statement = "head" | "verified";

/** The key made of a secret of 32 bytes; its id is the public key in hexadecimal. */
export function headKey(secret: Buffer): HeadKey {
  const der = Buffer.concat([privatePrefix, secret]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  return { id: spki.subarray(publicPrefix.length).toString("hex"), privateKey };
}

type Unsigned = Omit<SignedHead, "keyId" | "signature">;

/** Signs the end of a chain. */
export function signHead(key: HeadKey, statement: Statement, head: Unsigned): SignedHead {
  const { epoch, position, hash, at, tree } = head;
  const named = { epoch, position, hash, at, ...(tree && { tree }), keyId: key.id };
  const signature = sign(null, textOf(statement, named), key.privateKey).toString("hex");
  return SignedHead.parse({ ...named, signature });
}

/** Whether one of these keys signed the head. */
export function isSigned(
  { signature, ...named }: SignedHead,
  statement: Statement,
  publicKeys: readonly string[],
): boolean {
  if (!publicKeys.includes(named.keyId)) return false;
  const der = Buffer.concat([publicPrefix, Buffer.from(named.keyId, "hex")]);
  const publicKey = createPublicKey({ key: der, format: "der", type: "spki" });
  return verify(null, textOf(statement, named), publicKey, Buffer.from(signature, "hex"));
}

function textOf(statement: Statement, named: Omit<SignedHead, "signature">): Buffer {
  return Buffer.from(`pro-talent ledger ${statement}\n${canonicalJson(named)}`, "utf8");
}
