import { parseEnv } from "@pro-talent/platform/config/define-env";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import { describeFailure } from "@pro-talent/platform/runtime/run-command";
import { z } from "zod";

import { listSets, purgeExpired } from "./purge.ts";
import { type BackupSettings, readStores } from "./settings.ts";
import { takeBackup } from "./take.ts";

const lookEveryMs = 60_000;
const hourMs = 60 * 60_000;

/**
 * Purges what has expired and takes a set whenever the newest is older than `BACKUP_EVERY_HOURS`, by a
 * timer of its own: a lost queue delays nothing. A failure is reported once and tried again.
 * @returns when `signal` is aborted and no work is under way
 */
export async function keepSchedule(
  settings: BackupSettings,
  source: Readonly<Record<string, string | undefined>>,
  { signal, report }: { signal: AbortSignal; report: (line: string) => void },
): Promise<void> {
  const env = parseEnv(
    { BACKUP_EVERY_HOURS: z.coerce.number().int().min(1).max(24).default(6) },
    source,
  );
  const repetition = repeat({
    everyMs: lookEveryMs,
    pass: async () => {
      for (const { set, epoch } of await purgeExpired(settings)) {
        report(`${set} is purged, and its key ${epoch} destroyed`);
      }
      const newest = (await listSets(settings)).findLast(({ openable }) => openable)?.manifest;
      const dueMs =
        newest === undefined ? 0 : Date.parse(newest.madeAt) + env.BACKUP_EVERY_HOURS * hourMs;
      if (settings.clock() >= dueMs) {
        const { set, expiresAt } = await takeBackup(settings, await readStores(source));
        report(`${set} is taken; it is purged on ${expiresAt.slice(0, 10)}`);
      }
      return "wait";
    },
    onFailing: (error) => report(`No backup could be taken or purged. ${describeFailure(error)}`),
  });
  const stopped = Promise.withResolvers<undefined>();
  signal.addEventListener("abort", () => stopped.resolve(undefined), { once: true });
  await stopped.promise;
  await repetition.stop();
}
