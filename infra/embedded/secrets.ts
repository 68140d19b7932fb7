import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

import { writePrivateFile } from "./atomic-file.ts";

const secret = z.string().regex(/^[0-9a-f]{64}$/);

/** Everything secret of one local instance, each 32 random bytes in hexadecimal. */
const Secrets = z.object({
  postgresPassword: secret,
  ownerPassword: secret,
  ledgerPassword: secret,
  keeperPassword: secret,
  collectorPassword: secret,
  accountsPassword: secret,
  insightsPassword: secret,
  studioPassword: secret,
  jobsPassword: secret,
  /** Of the operators' roles. */
  operatorPassword: secret,
  verifierPassword: secret,
  inboxPassword: secret,
  clickhousePassword: secret,
  /** Shown by services to each other. */
  internalToken: secret,
  /** Keys what the collector must not store in the clear. */
  collectorKey: secret,
  /** Names visitors anew for each analyst. */
  analystsKey: secret,
  /** Seals and finds what identifies account holders. */
  accountsKey: secret,
  /** Seals the store of the keys of CVs. */
  studioKey: secret,
  /** Seals the store of the keys under which personal data in the ledger is wrapped. */
  ledgerWrappingKey: secret,
  /** Finds data subjects by their address, and makes the tokens of mailed links. */
  ledgerLookupKey: secret,
  /** Signs the ends of the ledger's chain. */
  ledgerHeadKey: secret,
  /** Seals the store of the keys of backups. */
  backupWrappingKey: secret,
  /** Signs manifests of backups and the log of what was done to them. */
  backupSigningKey: secret,
  /** Signs the journal of erasures, which restores carry out again. */
  erasureJournalKey: secret,
  /** Opens the caught mails. */
  mailToken: secret,
  /** Secret key of the payments sandbox. */
  sandboxKey: secret,
  /** Signs the sandbox's webhooks. */
  sandboxWebhookSecret: secret,
});
export type Secrets = z.infer<typeof Secrets>;

/**
 * The secrets of a data directory, made once and kept in `secrets.json` (owner only). Ones that a
 * later version needs are added; known ones never change, since the stores know them.
 */
export async function rememberedSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, "secrets.json");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const known = Secrets.partial().parse(JSON.parse(text));
  const fresh = (): string => randomBytes(32).toString("hex");
  const all = Secrets.parse(
    Object.fromEntries(Secrets.keyof().options.map((name) => [name, known[name] ?? fresh()])),
  );
  if (Object.keys(known).length < Secrets.keyof().options.length) {
    await writePrivateFile(file, `${JSON.stringify(all, null, 2)}\n`);
  }
  return all;
}
