import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import type { DataKeyPlace } from "@pro-talent/platform/keys/data-keys";
import {
  formerKeys,
  keyStoreAddress,
  openKeyStore,
} from "@pro-talent/platform/keys/open-key-store";
import { z } from "zod";

/** The variables of the keys. */
export const keySettingsEnv = {
  /** Seals the key store. Losing it loses all CVs. */
  STUDIO_KEY: key256,
  /** Former ones, which still open it: `key,key`. */
  STUDIO_KEY_PREVIOUS: formerKeys,
  /** Where the keys of epochs are kept. */
  STUDIO_KEY_STORE: keyStoreAddress,
  /** Of Vault, where the store is there. */
  VAULT_TOKEN: z.string().min(1).optional(),
};

/** Where the keys of CVs are. @throws OperatorError naming what is missing or wrong, never a value */
export function readKeySettings(
  source: Readonly<Record<string, string | undefined>>,
): DataKeyPlace {
  const env = parseEnv(keySettingsEnv, source);
  const store = openKeyStore(env.STUDIO_KEY_STORE, {
    wrappingKeys: [env.STUDIO_KEY, ...env.STUDIO_KEY_PREVIOUS],
    names: {
      boundTo: "studio key store",
      wrappingKey: "STUDIO_KEY",
      store: "STUDIO_KEY_STORE",
    },
    vaultToken: env.VAULT_TOKEN,
    vaultPrefix: "pro-talent-studio",
  });
  return { schema: "studio", store, setting: "STUDIO_KEY_STORE" };
}
