import { readFile } from "node:fs/promises";

import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import type { SignedHead } from "@pro-talent/schemas/ledger/heads";

import { readHeads } from "../heads/head-file.ts";
import { isSigned } from "../heads/signed-head.ts";

/** The signed heads of a file. @throws OperatorError when it can not be read, or holds something else */
export async function headsOf(file: string): Promise<readonly SignedHead[]> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new OperatorError(`The file of heads ${file} cannot be read.`, { cause });
  });
  try {
    return readHeads(text);
  } catch (cause) {
    throw new OperatorError(`${file} holds something that is no signed head.`, { cause });
  }
}

/**
 * The heads of these files, each signed by one of these public keys.
 * @throws OperatorError also when one was signed by another key, or was changed
 */
export async function givenHeads(
  files: readonly string[],
  publicKeys: readonly string[],
): Promise<readonly SignedHead[]> {
  const heads: SignedHead[] = [];
  for (const file of files) heads.push(...(await headsOf(file)));
  const forged = heads.find((head) => !isSigned(head, "head", publicKeys));
  if (forged === undefined) return heads;
  throw new OperatorError(
    `The head at position ${forged.position} is signed by no known key (${forged.keyId}), or was changed. ` +
      "Name the key with --public-key if it is one of yours.",
  );
}
