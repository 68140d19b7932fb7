import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import type { KeyStoreNames } from "@pro-talent/platform/keys/key-store";
import {
  formerKeys,
  keyStoreAddress,
  openKeyStore,
} from "@pro-talent/platform/keys/open-key-store";
import { z } from "zod";

import type { LedgerKeys } from "./check-keys.ts";

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
  /** Where the keys of epochs are kept. */
  LEDGER_KEY_STORE: keyStoreAddress,
  /** Of Vault, where the store is there. */
  VAULT_TOKEN: z.string().min(1).optional(),
};

export const ledgerStoreNames: KeyStoreNames = {
  boundTo: "ledger key store",
  wrappingKey: "LEDGER_WRAPPING_KEY",
  store: "LEDGER_KEY_STORE",
};

/**
 * The keys of a process, from its environment.
 * @throws OperatorError naming what is missing or wrong, never a value
 */
export function openLedgerKeys(source: Readonly<Record<string, string | undefined>>): LedgerKeys {
  const env = parseEnv(ledgerKeysEnv, source);
  const wrappingKeys = [env.LEDGER_WRAPPING_KEY, ...env.LEDGER_WRAPPING_KEY_PREVIOUS] as const;
  const lookupKeys = [env.LEDGER_LOOKUP_KEY, ...env.LEDGER_LOOKUP_KEY_PREVIOUS] as const;
  const store = openKeyStore(env.LEDGER_KEY_STORE, {
    wrappingKeys,
    names: ledgerStoreNames,
    vaultToken: env.VAULT_TOKEN,
    vaultPrefix: "pro-talent-ledger",
  });
  return { store, wrappingKeys: [...wrappingKeys], lookupKeys: [...lookupKeys] };
}
