import { fileURLToPath } from "node:url";

import { z } from "zod";

import { key256 } from "../config/define-env.ts";
import { OperatorError } from "../runtime/operator-error.ts";
import { openFileKeyStore } from "./file-key-store.ts";
import type { KeyStore, KeyStoreNames } from "./key-store.ts";
import { openVaultKeyStore } from "./vault-key-store.ts";

/** Former keys, the newest first; none when empty: `key,key`. */
export const formerKeys = z
  .string()
  .default("")
  .transform((text) => text.split(",").filter((part) => part.trim() !== ""))
  .pipe(z.array(key256));

/**
 * Where the keys of epochs are kept, outside the database: `file:///<path>`, or Vault's transit engine,
 * `vault+https://<host>/<mount>?name=<prefix of the names of keys>`.
 */
export const keyStoreAddress = z
  .string()
  .regex(
    /^(?:file:\/\/\/.|vault\+https:\/\/.|vault\+http:\/\/127\.0\.0\.1[:/])/,
    "must be file:///<path> or vault+https://<host>/<mount>",
  );

export type KeyStoreUse = {
  readonly wrappingKeys: readonly [Buffer, ...Buffer[]];
  readonly names: KeyStoreNames;
  readonly vaultToken: string | undefined;
  /** Of the names of keys in Vault, unless the address states another one. */
  readonly vaultPrefix: string;
};

/** Opens the store at a {@link keyStoreAddress}. @throws OperatorError for Vault without a token */
export function openKeyStore(address: string, use: KeyStoreUse): KeyStore {
  const { wrappingKeys, names, vaultToken: token } = use;
  if (address.startsWith("file:")) {
    return openFileKeyStore(fileURLToPath(address), wrappingKeys, names);
  }
  if (token === undefined) throw new OperatorError(`${names.store} is Vault: set VAULT_TOKEN`);
  const url = new URL(address.replace(/^vault\+/u, ""));
  const prefix = url.searchParams.get("name") ?? use.vaultPrefix;
  return openVaultKeyStore({ url, token, prefix, setting: names.store });
}
