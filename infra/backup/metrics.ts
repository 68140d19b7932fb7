import { Counter, Gauge, Registry } from "prom-client";

import { openBackupLog } from "./manifest.ts";
import { listSets } from "./purge.ts";
import type { BackupSettings } from "./settings.ts";

export type BackupMetrics = {
  readonly registry: Registry;
  readonly failed: (work: "archive" | "set" | "verification") => void;
  /** All that was on the server's disk is archived; `bytes` of it were not before. */
  readonly archived: (bytes: number) => void;
};

/** Ages are of what opens; without any they count from the start of the process. */
export function createBackupMetrics(settings: BackupSettings): BackupMetrics {
  const registry = new Registry();
  const registers = [registry];
  const startedMs = settings.clock();
  let archivedMs = startedMs;
  const since = (at: string | undefined): number =>
    Math.max(0, (settings.clock() - (at === undefined ? startedMs : Date.parse(at))) / 1000);
  const age = (name: string, help: string, of: () => Promise<number> | number): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await of());
      },
    });
  age("backup_newest_set_age_seconds", "Age of the newest set that opens", async () =>
    since((await listSets(settings)).findLast(({ openable }) => openable)?.manifest?.madeAt),
  );
  age(
    "backup_verified_age_seconds",
    "Time since a set was last verified by restoring",
    async () => {
      const lines = await openBackupLog(settings.directory, settings.signingKey).read();
      return since(lines.findLast(({ done }) => done === "verified")?.at);
    },
  );
  age("backup_wal_lag_seconds", "Time since all of the write-ahead log was archived", () =>
    Math.max(0, (settings.clock() - archivedMs) / 1000),
  );
  const bytesArchived = new Counter({
    name: "backup_wal_bytes_total",
    help: "Bytes of the write-ahead log that were archived",
    registers,
  });
  const failures = new Counter({
    name: "backup_failures_total",
    help: "Work on backups that failed, by work (archive, set, verification)",
    labelNames: ["work"] as const,
    registers,
  });
  return {
    registry,
    failed: (work) => failures.inc({ work }),
    archived: (bytes) => {
      archivedMs = settings.clock();
      bytesArchived.inc(bytes);
    },
  };
}
