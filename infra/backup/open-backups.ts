import { parseEnv } from "@pro-talent/platform/config/define-env";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { addHealthRoutes } from "@pro-talent/platform/http/health";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";
import { requireWritable } from "@pro-talent/platform/runtime/writable";

import { directoryMode } from "./directory.ts";
import { createBackupMetrics } from "./metrics.ts";
import { startSchedule } from "./schedule.ts";
import {
  readBackupSettings,
  readServerEnv,
  readStores,
  scheduleEnv,
  superuserPassword,
} from "./settings.ts";

/**
 * Opens the schedule of backups, which runs until it is closed; `GET /metrics` shows their age.
 * @throws Unwritable when no backup can be stored
 */
export const openBackups: OpenService = async (source, log) => {
  if (source["NODE_ENV"] === "production") readServerEnv(source);
  const env = parseEnv(scheduleEnv, source);
  const settings = await readBackupSettings(source);
  await requireWritable(settings.directory, "BACKUP_DIR", directoryMode);
  const metrics = createBackupMetrics(settings);
  const stopSchedule = startSchedule({
    ...env,
    settings,
    stores: await readStores(source),
    superuserPassword: await superuserPassword(source),
    metrics,
    log,
  });
  const app = buildServer({ log, publicOrigin: undefined });
  addHealthRoutes(app, { ready: [], metrics: metrics.registry });
  const closing = new Shutdown(log);
  closing.add("http", () => app.close());
  closing.add("schedule", stopSchedule);
  return { app, close: () => closing.run() };
};
