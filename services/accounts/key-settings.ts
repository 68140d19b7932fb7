import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import type { KeyStore } from "@pro-talent/platform/keys/key-store";
import {
  formerKeys,
  keyStoreAddress,
  openKeyStore,
} from "@pro-talent/platform/keys/open-key-store";
import { z } from "zod";

/** What the keys of the service are opened with. */
export type KeySettings = {
  readonly store: KeyStore;
  /** `ACCOUNTS_KEY` first, then former ones: they wrap the secret of the service and seal the key store. */
  readonly wrappingKeys: readonly [Buffer, ...Buffer[]];
};

/** The variables of the keys. */
export const keySettingsEnv = {
  /** Wraps the secret of the service and seals the key store. Losing it loses all accounts. */
  ACCOUNTS_KEY: key256,
  /** Former ones, which still open both: `key,key`. */
  ACCOUNTS_KEY_PREVIOUS: formerKeys,
  /** Where the keys of epochs are kept. */
  ACCOUNTS_KEY_STORE: keyStoreAddress,
  /** Of Vault, where the store is there. */
  VAULT_TOKEN: z.string().min(1).optional(),
};

/** @throws OperatorError naming what is missing or wrong, never a value */
export function readKeySettings(source: Readonly<Record<string, string | undefined>>): KeySettings {
  const env = parseEnv(keySettingsEnv, source);
  const wrappingKeys = [env.ACCOUNTS_KEY, ...env.ACCOUNTS_KEY_PREVIOUS] as const;
  const store = openKeyStore(env.ACCOUNTS_KEY_STORE, {
    wrappingKeys,
    names: {
      boundTo: "accounts key store",
      wrappingKey: "ACCOUNTS_KEY",
      store: "ACCOUNTS_KEY_STORE",
    },
    vaultToken: env.VAULT_TOKEN,
    vaultPrefix: "pro-talent-accounts",
  });
  return { store, wrappingKeys: [...wrappingKeys] };
}

/** Where the keys of accounts and mails are. */
export const dataKeyPlace = ({ store }: Pick<KeySettings, "store">) => ({
  schema: "accounts",
  store,
  setting: "ACCOUNTS_KEY_STORE",
});
