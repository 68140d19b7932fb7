import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { openSignedLine, type SigningKey } from "@pro-talent/platform/crypto/signed-text";
import { LogEnd, openSignedLog, type SignedLog } from "@pro-talent/platform/files/signed-log";
import { Instant } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { directoryMode } from "./directory.ts";

/** One encrypted file of a set. */
const Archive = z.strictObject({
  name: z.string().regex(/^[a-z0-9_-]+$/u),
  /** As stored, and before compression. */
  bytes: z.int(),
  plainBytes: z.int(),
  sha256: z.hex().length(64),
});
export type Archive = z.infer<typeof Archive>;

/** The end of the ledger's chain. */
const LedgerEnd = z.strictObject({
  epoch: z.int(),
  position: z.int(),
  hash: z.hex(),
});
export type LedgerEnd = z.infer<typeof LedgerEnd>;

/** A place in the write-ahead log, as Postgres writes it. */
export const Lsn = z.string().regex(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/u);

const RowCount = z.strictObject({ table: z.string(), before: z.int(), after: z.int() });

/** What a set holds. Signed; holds sizes and positions, never content. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  set: z.string().regex(/^\d{8}t\d{6}z-[0-9a-f]{8}$/u),
  madeAt: Instant,
  /** From then on it is purged. */
  expiresAt: Instant,
  /** The epoch of the backups' key store under which the key of the set is wrapped. */
  epoch: z.string(),
  wrappedKey: z.base64(),
  /** Before and after the copy: a restore ends between the two. */
  ledger: z.strictObject({ from: LedgerEnd, to: LedgerEnd }),
  /** Rows of each table of ClickHouse, before and after it was read. */
  visits: z.array(RowCount),
  archives: z.array(Archive).min(1),
  /** Where the copy of Postgres begins and ends; absent in sets of earlier versions. */
  wal: z
    .strictObject({
      /** The history of the archived write-ahead log that continues it; null without an archive. */
      history: z.string().nullable(),
      start: Lsn,
      stop: Lsn,
      stoppedAt: Instant,
    })
    .optional(),
  /** How far the erasure journal reached; absent in sets of earlier versions. */
  journal: LogEnd.optional(),
});
export type Manifest = z.infer<typeof Manifest>;

export const manifestPurpose = "backup manifest";
export const manifestFile = "manifest.json";

/** What was done to a set, or to a range of the write-ahead log: evidence that no older copy exists. */
const LogRecord = z.strictObject({
  done: z.enum(["made", "verified", "restored", "purged"]),
  at: Instant,
  /** A set or a range. */
  set: z.string(),
  /** Nothing in it is older. */
  madeAt: Instant,
  /** Of a purge: the key that was destroyed. */
  epoch: z.string(),
  /** How far the erasure journal reached then; absent in lines of earlier versions. */
  journal: LogEnd.optional(),
});
export type LogRecord = z.infer<typeof LogRecord>;

export const backupLogPurpose = "backup log";

/** The log of a backup directory. @throws SignatureBroken from its methods */
export function openBackupLog(directory: string, key: SigningKey): SignedLog<LogRecord> {
  return openSignedLog(join(directory, "log.jsonl"), {
    key,
    purpose: backupLogPurpose,
    contract: LogRecord,
  });
}

/** The manifest of a set. @throws SignatureBroken when it was changed */
export async function readManifest(
  directory: string,
  set: string,
  keyId: string,
): Promise<Manifest> {
  const text = await readFile(join(directory, set, manifestFile), "utf8");
  return openSignedLine(text, { keyId, purpose: manifestPurpose, contract: Manifest });
}

/** Names of the complete sets, the oldest first. A set without its final name is none. */
export async function setNames(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: directoryMode });
  const names = await readdir(directory);
  return names.filter((name) => Manifest.shape.set.safeParse(name).success).toSorted();
}
