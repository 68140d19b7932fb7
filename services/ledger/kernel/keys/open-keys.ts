import { fileURLToPath } from "node:url";

import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import type { LedgerKeys } from "./check-keys.ts";
import { openFileKeyStore } from "./file-key-store.ts";
import type { KeyStore } from "./key-store.ts";
import { openVaultKeyStore } from "./vault-key-store.ts";

/** Former keys, the newest first; none when empty. */
const formerKeys = z
  .string()
  .default("")
  .transform((text) => text.split(",").filter((part) => part.trim() !== ""))
  .pipe(z.array(key256));

/** The variables of the ledger's keys. */
export const ledgerKeysEnv = {
  /** Seals the key store. Losing it loses all personal data. */
  LEDGER_WRAPPING_KEY: key256,
  /** Former wrapping keys, which still open the store: `key,key`. */
  LEDGER_WRAPPING_KEY_PREVIOUS: formerKeys,
  /** Makes the hashes by which an address is found again, and the tokens of mails. */
  LEDGER_LOOKUP_KEY: key256,
  /** Former lookup keys, whose hashes and tokens are still valid: `key,key`. */
  LEDGER_LOOKUP_KEY_PREVIOUS: formerKeys,
  /**
   * Where the keys of epochs are kept, outside the database: `file:///<path>`, or Vault's transit engine,
   * `vault+https://<host>/<mount>?name=<prefix of the names of keys>`.
   */
  LEDGER_KEY_STORE: z
    .string()
    .regex(
      /^(?:file:\/\/\/.|vault\+https:\/\/.|vault\+http:\/\/127\.0\.0\.1[:/])/,
      "must be file:///<path> or vault+https://<host>/<mount>",
    ),
  /** Of Vault, where the store is there. */
  VAULT_TOKEN: z.string().min(1).optional(),
};

/**
 * The keys of a process, from its environment.
 * @throws OperatorError naming what is missing or wrong, never a value
 */
export function openLedgerKeys(source: Readonly<Record<string, string | undefined>>): LedgerKeys {
  const env = parseEnv(ledgerKeysEnv, source);
  const wrappingKeys = [env.LEDGER_WRAPPING_KEY, ...env.LEDGER_WRAPPING_KEY_PREVIOUS] as const;
  const lookupKeys = [env.LEDGER_LOOKUP_KEY, ...env.LEDGER_LOOKUP_KEY_PREVIOUS] as const;
  const { LEDGER_KEY_STORE: address, VAULT_TOKEN: token } = env;
  const store = address.startsWith("file:")
    ? openFileKeyStore(fileURLToPath(address), [...wrappingKeys])
    : openVault(new URL(address.replace(/^vault\+/u, "")), token);
  return { store, wrappingKeys: [...wrappingKeys], lookupKeys: [...lookupKeys] };
}

function openVault(url: URL, token: string | undefined): KeyStore {
  if (token === undefined) throw new OperatorError("LEDGER_KEY_STORE is Vault: set VAULT_TOKEN");
  const prefix = url.searchParams.get("name") ?? "pro-talent-ledger";
  return openVaultKeyStore({ url, token, prefix });
}
