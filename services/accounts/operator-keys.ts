import { pathToFileURL } from "node:url";

import { key256, parseEnv } from "@pro-talent/platform/config/define-env";
import { instanceFile, readInstanceFile } from "@pro-talent/platform/runtime/operator";
import { z } from "zod";

import { type KeySettings, readKeySettings } from "./key-settings.ts";

/** The key store of an instance, in its data directory. */
export const instanceKeyStore = "accounts-keys.json";

/** The settings of a command: of the environment, or else of the instance that runs on this machine. */
export async function findKeySettings(
  source: Readonly<Record<string, string | undefined>>,
): Promise<KeySettings> {
  const { ACCOUNTS_KEY: set } = parseEnv({ ACCOUNTS_KEY: key256.optional() }, source);
  if (set !== undefined) return readKeySettings(source);
  const contract = z.object({ accountsKey: z.string() });
  const advice = "set ACCOUNTS_KEY and ACCOUNTS_KEY_STORE";
  const secrets = await readInstanceFile(source, "secrets.json", contract, advice);
  return readKeySettings({
    ACCOUNTS_KEY: secrets.accountsKey,
    ACCOUNTS_KEY_STORE: pathToFileURL(instanceFile(source, instanceKeyStore)).href,
  });
}
