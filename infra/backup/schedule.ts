import type { Logger } from "@pro-talent/platform/runtime/logger";
import { OperatorError, operatorErrorIn } from "@pro-talent/platform/runtime/operator-error";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import { pause } from "@pro-talent/platform/runtime/wait";
import type { z } from "zod";

import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE } from "../postgres/roles.ts";
import { openBackupLog } from "./manifest.ts";
import type { BackupMetrics } from "./metrics.ts";
import { listSets, purgeExpired } from "./purge.ts";
import { verifyBackup } from "./restore.ts";
import type { BackupSettings, scheduleEnv, Stores } from "./settings.ts";
import { dayMs, takeBackup } from "./take.ts";
import { WalArchive } from "./wal-archive.ts";
import { gapsInArchive } from "./wal-restore.ts";
import { archivedHistory } from "./wal-slot.ts";

const lookEveryMs = 60_000;
const hourMs = 60 * 60_000;

export type ScheduleParts = z.output<z.ZodObject<typeof scheduleEnv>> & {
  readonly settings: BackupSettings;
  readonly stores: Stores;
  /** Of the cluster that is backed up. */
  readonly superuserPassword: string;
  readonly metrics: BackupMetrics;
  readonly log: Logger;
};

/**
 * Archives the write-ahead log, purges what has expired, takes sets and verifies them at their times, by
 * timers of its own: a lost queue delays nothing. A failure is logged once, counted, and tried again.
 * @returns ends it when no work is under way
 */
export function startSchedule(parts: ScheduleParts): () => Promise<void> {
  const { log, metrics } = parts;
  const work = (
    what: "archive" | "set" | "verification",
    everyMs: number,
    pass: (signal: AbortSignal) => Promise<void>,
  ): Repetition =>
    repeat({
      everyMs,
      pass: async (signal) => {
        try {
          await pass(signal);
          return "wait";
        } catch (error) {
          metrics.failed(what);
          throw error;
        }
      },
      onFailing: (error) => {
        const why = operatorErrorIn(error)?.message;
        const backup = why === undefined ? what : `${what}: ${why}`;
        log.error({ err: error, backup }, "work on backups failed; it is tried again");
      },
    });
  const archiving = archivingOf(parts);
  const running = [
    work("archive", parts.BACKUP_WAL_EVERY_SECONDS * 1000, archiving.pass),
    work(
      "set",
      lookEveryMs,
      onceAfter(parts.BACKUP_FIRST_AFTER_SECONDS, () => keepSets(parts)),
    ),
    work("verification", lookEveryMs, () => keepVerified(parts)),
  ];
  return async () => {
    await Promise.all(running.map((one) => one.stop()));
    await archiving.close();
  };
}

/** Opened anew after a failure: the server may have been away. */
function archivingOf({ settings, stores, BACKUP_EVERY_HOURS: hours, metrics, log }: ScheduleParts) {
  let archive: WalArchive | undefined;
  const close = async (): Promise<void> => {
    await archive?.close();
    archive = undefined;
  };
  const pass = async (): Promise<void> => {
    archive ??= await WalArchive.open(settings, stores.postgresAdminUrl, hours * hourMs);
    // Another process archives.
    if (archive === undefined) return;
    try {
      const { gap, bytes } = await archive.pass();
      metrics.archived(bytes);
      if (gap === undefined) return;
      metrics.failed("archive");
      log.error({ backup: gap }, "the archive of the write-ahead log has a gap and begins anew");
    } catch (error) {
      await close();
      throw error;
    }
  };
  return { pass, close };
}

function onceAfter(seconds: number, work: () => Promise<void>) {
  let isFirst = true;
  return async (signal: AbortSignal): Promise<void> => {
    if (isFirst) await pause(seconds * 1000, signal);
    isFirst = false;
    if (!signal.aborted) await work();
  };
}

async function keepSets({ settings, stores, log, ...env }: ScheduleParts): Promise<void> {
  for (const { name, epoch } of await purgeExpired(settings)) {
    log.info({ backup: name, key: epoch }, "a backup is purged and its key destroyed");
  }
  const newest = (await listSets(settings)).findLast(({ openable }) => openable)?.manifest;
  const everyMs = env.BACKUP_EVERY_HOURS * hourMs;
  const isYoung = newest !== undefined && settings.clock() < Date.parse(newest.madeAt) + everyMs;
  // After a gap, or a restore, the archive continues no set: only a new one leads to what follows.
  const history = await historyOf(stores.postgresAdminUrl);
  if (isYoung && (history === null || newest.wal?.history === history)) return;
  const { set, archives } = await takeBackup(settings, stores);
  const bytes = archives.reduce((sum, archive) => sum + archive.bytes, 0);
  log.info({ backup: set, bytes }, "a backup is taken");
}

async function historyOf(adminUrl: string): Promise<string | null> {
  const sql = connect(adminUrl, DATABASE);
  try {
    return await archivedHistory(sql);
  } finally {
    await sql.end();
  }
}

async function keepVerified({ settings, superuserPassword, log, ...env }: ScheduleParts) {
  const lines = await openBackupLog(settings.directory, settings.signingKey).read();
  const last =
    lines.findLast(({ done }) => done === "verified") ?? lines.find(({ done }) => done === "made");
  const set = (await listSets(settings)).findLast(({ openable }) => openable)?.set;
  const everyMs = env.BACKUP_VERIFY_EVERY_DAYS * dayMs;
  if (set === undefined || last === undefined) return;
  if (settings.clock() < Date.parse(last.at) + everyMs) return;
  const differences = [
    ...(await verifyBackup(settings, set, superuserPassword)),
    ...(await gapsInArchive(settings)),
  ];
  if (differences.length > 0) throw new OperatorError(`${set}: ${differences.join("; ")}`);
  log.info({ backup: set }, "a backup is verified by restoring it");
}
