import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { key256 } from "@pro-talent/platform/config/define-env";
import { z } from "zod";

import type { SubjectKeys } from "../subjects/subjects.ts";
import type { readInboxEnv } from "./env.ts";

/** What this program needs of the secrets of a local instance. */
const LocalSecrets = z.object({ ledgerWrappingKey: key256, ledgerLookupKey: key256 });

/**
 * The keys under which letters are sealed: of the environment, or else of the instance that keeps
 * its data on this machine.
 * @throws when neither has them
 */
export async function findSubjectKeys(env: ReturnType<typeof readInboxEnv>): Promise<SubjectKeys> {
  const { LEDGER_WRAPPING_KEY: wrappingKey, LEDGER_LOOKUP_KEY: lookupKey } = env;
  if (wrappingKey !== undefined && lookupKey !== undefined) return { wrappingKey, lookupKey };
  const file = resolve(join(env.DATA_DIR, "secrets.json"));
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new Error(
      `There are no keys here (no ${file}). Set LEDGER_WRAPPING_KEY and LEDGER_LOOKUP_KEY.`,
      { cause },
    );
  }
  const secrets = LocalSecrets.parse(JSON.parse(text));
  return { wrappingKey: secrets.ledgerWrappingKey, lookupKey: secrets.ledgerLookupKey };
}
