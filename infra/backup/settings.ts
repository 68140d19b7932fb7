import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { key256, parseEnv, postgresUrl } from "@pro-talent/platform/config/define-env";
import { type SigningKey, signingKey } from "@pro-talent/platform/crypto/signed-text";
import { openSignedLog, type SignedLog } from "@pro-talent/platform/files/signed-log";
import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import type { KeyStore } from "@pro-talent/platform/keys/key-store";
import { keyStoreAddress, openKeyStore } from "@pro-talent/platform/keys/open-key-store";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { operatorClock } from "@pro-talent/platform/runtime/operator";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import {
  BackupHorizon,
  backupHorizonFile,
  backupHorizonPurpose,
  erasureJournalPurpose,
  JournalledErasure,
} from "@pro-talent/schemas/privacy/erasure-journal";
import { z } from "zod";

import { readEnvironment } from "../embedded/env.ts";
import { readRuntime } from "../embedded/runtime-file.ts";
import { rememberedSecrets } from "../embedded/secrets.ts";

/** When what is done. */
export const scheduleEnv = {
  /** A set is taken when the newest one is older. */
  BACKUP_EVERY_HOURS: z.coerce.number().int().min(1).max(24).default(6),
  /** The newest set is restored and compared when that was done longer ago. */
  BACKUP_VERIFY_EVERY_DAYS: z.coerce.number().int().min(1).max(31).default(7),
  /** How often what is new in the write-ahead log is archived. */
  BACKUP_WAL_EVERY_SECONDS: z.coerce.number().min(0.1).max(60).default(5),
  /** What else begins has so long before the first set is taken. */
  BACKUP_FIRST_AFTER_SECONDS: z.coerce.number().min(0).max(3600).default(60),
};

type Source = Readonly<Record<string, string | undefined>>;

const shape = {
  /** Where sets of backups are; never on the disk of the databases in production. */
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_KEY_STORE: keyStoreAddress.optional(),
  BACKUP_WRAPPING_KEY: key256.optional(),
  BACKUP_SIGNING_KEY: key256.optional(),
  /** Written by the erasures of the privacy domain; outside every database. */
  ERASURE_JOURNAL_FILE: z.string().min(1).optional(),
  ERASURE_JOURNAL_KEY: key256.optional(),
  VAULT_TOKEN: z.string().min(1).optional(),
};

const storesShape = {
  POSTGRES_ADMIN_URL: postgresUrl.optional(),
  CLICKHOUSE_URL: z.url().optional(),
  FILES_URL: z.url({ protocol: /^(?:file|s3\+https?)$/u }).optional(),
  SPOOL_DIR: z.string().min(1).optional(),
};

/**
 * What the schedule needs on a server, where no data directory of `npm start` knows it.
 * @throws OperatorError naming every variable that is missing or wrong
 */
export function readServerEnv(source: Source) {
  const { VAULT_TOKEN, ...keys } = shape;
  const all = z.object({ ...keys, ...storesShape }).required().shape;
  return parseEnv({ ...all, ...scheduleEnv, VAULT_TOKEN }, source);
}

/** How sets are kept, encrypted and signed. */
export type BackupSettings = {
  readonly directory: string;
  readonly signingKey: SigningKey;
  readonly keys: KeyStore;
  /** Of a set, in days; the same clock as that of the ledger's epoch keys. */
  readonly retentionDays: number;
  readonly journal: SignedLog<JournalledErasure>;
  /** Of the public key that verifies the lines of journal and horizon. */
  readonly journalKeyId: string;
  /** Beside the journal, where the ledger reads it. */
  readonly horizon: SignedLog<BackupHorizon>;
  readonly clock: Clock;
};

/** What is backed up. */
export type Stores = {
  /** Superuser, on the machine that has the cluster's files. */
  readonly postgresAdminUrl: string;
  readonly clickhouseUrl: string;
  /** Undefined where files are in a bucket. */
  readonly filesDir: string | undefined;
  readonly spoolDir: string;
};

/**
 * The settings of the environment. What is missing comes from the data directory of `npm start`, but
 * never in production.
 * @throws OperatorError naming the missing variables
 */
export async function readBackupSettings(source: Source): Promise<BackupSettings> {
  const env = parseEnv(shape, source);
  const { dataDir } = readEnvironment(source);
  const names = ["BACKUP_WRAPPING_KEY", "BACKUP_SIGNING_KEY", "ERASURE_JOURNAL_KEY"] as const;
  const missing = [
    ...(["BACKUP_DIR", "BACKUP_KEY_STORE", "ERASURE_JOURNAL_FILE"] as const),
    ...names,
  ].filter((name) => env[name] === undefined);
  if (missing.length > 0 && source["NODE_ENV"] === "production") {
    throw new OperatorError(`Backups need these settings in production: ${missing.join(", ")}.`);
  }
  const needsSecrets = names.some((name) => env[name] === undefined);
  const own = needsSecrets ? await secretsOf(dataDir) : undefined;
  const keyOf = (given: Buffer | undefined, known = ""): Buffer =>
    given ?? Buffer.from(known, "hex");
  const wrappingKey = keyOf(env.BACKUP_WRAPPING_KEY, own?.backupWrappingKey);
  const address = env.BACKUP_KEY_STORE ?? pathToFileURL(join(dataDir, "backup-keys.json")).href;
  const journalFile = env.ERASURE_JOURNAL_FILE ?? join(dataDir, "erasure-journal.jsonl");
  const journalKey = signingKey(keyOf(env.ERASURE_JOURNAL_KEY, own?.erasureJournalKey));
  return {
    directory: resolve(env.BACKUP_DIR ?? join(dataDir, "backups")),
    signingKey: signingKey(keyOf(env.BACKUP_SIGNING_KEY, own?.backupSigningKey)),
    keys: openKeyStore(address, {
      wrappingKeys: [wrappingKey],
      names: {
        boundTo: "backup key store",
        wrappingKey: "BACKUP_WRAPPING_KEY",
        store: "BACKUP_KEY_STORE",
      },
      vaultToken: env.VAULT_TOKEN,
      vaultPrefix: "backup",
    }),
    retentionDays: readKeyPeriods(source, "LEDGER").overlapDays,
    journalKeyId: journalKey.id,
    journal: openSignedLog(journalFile, {
      key: journalKey,
      purpose: erasureJournalPurpose,
      contract: JournalledErasure,
    }),
    horizon: openSignedLog(join(dirname(journalFile), backupHorizonFile), {
      key: journalKey,
      purpose: backupHorizonPurpose,
      contract: BackupHorizon,
    }),
    clock: operatorClock(source),
  };
}

async function secretsOf(dataDir: string) {
  const found = await stat(join(dataDir, "secrets.json")).catch(() => undefined);
  if (found === undefined) {
    throw new OperatorError(
      `There is no instance in ${dataDir}: start it once, or set DATA_DIR, or the keys of backups.`,
    );
  }
  return await rememberedSecrets(dataDir);
}

/**
 * Where the data is: of the environment, else of the instance that runs on this machine.
 * @throws OperatorError when neither is known
 */
export async function readStores(source: Source): Promise<Stores> {
  const env = parseEnv(storesShape, source);
  const { dataDir } = readEnvironment(source);
  const runtime = await readRuntime(dataDir);
  const postgresAdminUrl = env.POSTGRES_ADMIN_URL ?? runtime?.postgres?.superuserUrl;
  const clickhouseUrl = env.CLICKHOUSE_URL ?? runtime?.clickhouse?.url;
  if (postgresAdminUrl === undefined || clickhouseUrl === undefined) {
    throw new OperatorError(
      `Nothing runs on ${dataDir}. Start it, or set POSTGRES_ADMIN_URL and CLICKHOUSE_URL.`,
    );
  }
  return {
    postgresAdminUrl,
    clickhouseUrl,
    filesDir: filesIn(env.FILES_URL, dataDir),
    spoolDir: env.SPOOL_DIR ?? join(dataDir, "spool"),
  };
}

/** A bucket keeps versions of its own: what is not in a directory is not in a set. */
function filesIn(url: string | undefined, dataDir: string): string | undefined {
  if (url === undefined) return join(dataDir, "files");
  return url.startsWith("file:") ? fileURLToPath(url) : undefined;
}

/** Of the cluster that is backed up. */
export async function superuserPassword(source: Source): Promise<string> {
  const url = source["POSTGRES_ADMIN_URL"];
  if (url !== undefined) return decodeURIComponent(new URL(url).password);
  return (await rememberedSecrets(readEnvironment(source).dataDir)).postgresPassword;
}
