import { replicaUrlOf } from "@pro-talent/platform/config/define-env";
import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { untilPostgresAnswers } from "@pro-talent/platform/postgres/until-answering";
import { readClock } from "@pro-talent/platform/runtime/clock";
import type { OpenService } from "@pro-talent/platform/runtime/run-service";
import { Shutdown } from "@pro-talent/platform/runtime/shutdown";

import { buildStudioApp } from "./app.ts";
import { readServiceEnv, readWorkerEnv } from "./env.ts";
import { readKeySettings } from "./key-settings.ts";
import { openStudioKeys } from "./keys.ts";
import { openCvDrawer } from "./pdf/draw-cv.ts";
import { deliveryOver } from "./plans.ts";
import { plansOver } from "./portfolio/plan.ts";
import { buildStudioWorker } from "./worker-app.ts";

/** After which a document is ended that takes too long to draw. */
const drawingSecondsMax = 5;

/** Opens the HTTP service. */
export const openStudioService: OpenService = async (source, log) => {
  const env = readServiceEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 10, applicationName: "studio" });
  const clock = readClock(source);
  await untilPostgresAnswers(env.DATABASE_URL, { log });
  const keys = await openStudioKeys(sql, readKeySettings(source), clock());
  const drawer = openCvDrawer({ secondsMax: drawingSecondsMax });
  const app = await buildStudioApp({
    context: { sql, clock, keys, drawer },
    planOf: plansOver({ url: env.LEDGER_URL, internalToken: env.INTERNAL_TOKEN }),
    sessions: readSignInSessions(sql, clock),
    log,
    internalToken: env.INTERNAL_TOKEN,
    publicOrigin: env.PUBLIC_ORIGIN,
    replicaUrl: replicaUrlOf(env),
    trustedProxies: env.TRUSTED_PROXIES,
    callsPerMinute: env.CALLS_PER_MINUTE,
    previewsPerMinute: env.PREVIEWS_PER_MINUTE,
    filesPerMinute: env.FILES_PER_MINUTE,
  });
  const closing = new Shutdown(log);
  closing.add("http", () => app.close());
  closing.add("drawer", () => drawer.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};

/** Opens the worker: current files, and the epochs of keys. */
export const openStudioWorker: OpenService = async (source, log) => {
  const env = readWorkerEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 4, applicationName: "studio-worker" });
  const clock = readClock(source);
  const keyPlace = readKeySettings(source);
  await untilPostgresAnswers(env.DATABASE_URL, { log });
  const keys = await openStudioKeys(sql, keyPlace, clock());
  // Under the present STUDIO_KEY from now on.
  await keyPlace.store.renew();
  const drawer = openCvDrawer({ secondsMax: drawingSecondsMax, processes: 1 });
  const app = await buildStudioWorker({
    queueUrl: env.QUEUE_URL,
    sql,
    log,
    clock,
    keys,
    keyPlace,
    drawer,
    deliveryOf: deliveryOver({ url: env.LEDGER_URL, internalToken: env.INTERNAL_TOKEN }),
    accounts: { url: env.ACCOUNTS_URL, internalToken: env.INTERNAL_TOKEN },
    periods: readKeyPeriods(source, "STUDIO"),
    publicOrigin: env.PUBLIC_ORIGIN,
  });
  const closing = new Shutdown(log);
  closing.add("worker", () => app.close());
  closing.add("drawer", () => drawer.close());
  closing.add("postgres", () => sql.end());
  return { app, close: () => closing.run() };
};
