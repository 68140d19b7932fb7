import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** Distinct characters that a password has at least. */
const distinctMin = 4;
/** Characters that are left when all words that an attacker tries first are taken out. */
const ownMin = 6;
const productWords = ["protalent", "pro-talent", "talent", "password", "סיסמה"];

export type WeakPasswords = {
  /** @param email of the account: parts of the address are no secret */
  readonly includes: (password: string, email: string) => boolean;
};

/**
 * The 20,000 most common passwords of known breaches, in lower case, beside what
 * follows from the address and the product's name. Read once; about two megabytes of memory.
 */
export async function loadWeakPasswords(): Promise<WeakPasswords> {
  const packed = await readFile(new URL("breached-passwords.txt.gz", import.meta.url));
  const text = (await promisify(gunzip)(packed)).toString("utf8");
  const common = new Set(text.split("\n"));
  return {
    includes: (password, email) => {
      const plain = password.normalize("NFKC").toLowerCase();
      return common.has(plain) || new Set(plain).size < distinctMin || isGuessable(plain, email);
    },
  };
}

function isGuessable(plain: string, email: string): boolean {
  const words = [...email.toLowerCase().split(/[^\p{L}\p{M}]+/u), ...productWords];
  const own = words
    .filter((word) => word.length >= 3)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, word) => rest.replaceAll(word, ""), plain);
  return own !== plain && Array.from(own).length < ownMin;
}
