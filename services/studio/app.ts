import { addCalls } from "@pro-talent/platform/http/add-calls";
import type { SignInSessions } from "@pro-talent/platform/http/admission";
import { buildKeyedServer } from "@pro-talent/platform/http/keyed-server";
import { refuseOtherOrigins } from "@pro-talent/platform/http/plain-forms";
import { limitAccounts, limitRate } from "@pro-talent/platform/http/rate-limit";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { cvCalls } from "@pro-talent/schemas/studio/calls";
import {
  internalCvErasureCalls,
  internalCvFileCalls,
  internalCvHeldCalls,
} from "@pro-talent/schemas/studio/internal-calls";
import { internalPortfolioCalls, portfolioCalls } from "@pro-talent/schemas/studio/portfolio-calls";
import type { FastifyInstance } from "fastify";

import type { StudioContext } from "./context.ts";
import { cvHandlers } from "./cvs.ts";
import { editHandlers } from "./edits.ts";
import { erasureHandlers } from "./erase.ts";
import { fileHandlers, linkedFileHandlers, previewHandlers } from "./files.ts";
import { heldHandlers } from "./held.ts";
import { importHandlers } from "./import-calls.ts";
import { photoHandlers } from "./photos.ts";
import { pageHandlers } from "./portfolio/pages.ts";
import { ownPictureHandlers, pictureHandlers } from "./portfolio/pictures.ts";
import type { PlanOf } from "./portfolio/plan.ts";
import { ownerHandlers } from "./portfolio/portfolio.ts";
import { portfolioPreviewHandlers, shownHandlers } from "./portfolio/shown.ts";
import { versionHandlers } from "./versions.ts";

export type StudioAppOptions = {
  readonly context: StudioContext;
  readonly sessions: SignInSessions;
  /** What an account may do with its portfolio. */
  readonly planOf: PlanOf;
  readonly log: Logger;
  readonly internalToken: string;
  readonly publicOrigin: string;
  /** Of a replica, as the role `studio_app`, for calls that may lag. */
  readonly replicaUrl?: string | undefined;
  readonly trustedProxies?: readonly string[];
  /** Calls that one network may make in a minute, reads and writes apart. */
  readonly callsPerMinute: number;
  /** Previews that one account may ask for in a minute. */
  readonly previewsPerMinute: number;
  /** Files, checks, imports and photos that one account may ask for in a minute. */
  readonly filesPerMinute: number;
};

/** The studio over HTTP; it owns no process, timer or connection. */
export async function buildStudioApp(options: StudioAppOptions): Promise<FastifyInstance> {
  const { context, sessions, log, internalToken, publicOrigin } = options;
  const { sql, keys, clock } = context;
  const app = buildKeyedServer({
    service: "studio",
    sql,
    replicaUrl: options.replicaUrl,
    dataKeys: keys,
    log,
    publicOrigin,
    trustedProxies: options.trustedProxies ?? [],
    internalToken,
    sessions,
    clock,
  });
  await addOwnerCalls(app, options);
  addCalls(app, internalCvHeldCalls, heldHandlers(context));
  addCalls(app, internalCvFileCalls, linkedFileHandlers(context));
  addCalls(app, internalCvErasureCalls, erasureHandlers(context, log));
  addCalls(app, internalPortfolioCalls, shownHandlers(context));
  return app;
}

/** What costs little is limited by network; what is drawn or read is limited by account. */
async function addOwnerCalls(app: FastifyInstance, options: StudioAppOptions): Promise<void> {
  const { context, publicOrigin, callsPerMinute } = options;
  const ofCvs = splitCvCalls();
  const ofPortfolio = splitPortfolioCalls();
  await app.register(async (scope) => {
    refuseOtherOrigins(scope, publicOrigin);
    await limitRate(scope, { reads: callsPerMinute, writes: callsPerMinute });
    addCalls(scope, ofCvs.calls, {
      ...cvHandlers(context),
      ...editHandlers(context),
      ...versionHandlers(context),
    });
    addCalls(scope, ofPortfolio.calls, {
      ...ownerHandlers(context, options.planOf),
      ...pageHandlers(context),
      ...ownPictureHandlers(context),
    });
  });
  await app.register(async (scope) => {
    refuseOtherOrigins(scope, publicOrigin);
    await limitAccounts(scope, options.previewsPerMinute);
    addCalls(scope, ofCvs.previews, previewHandlers(context));
    addCalls(scope, ofPortfolio.previews, portfolioPreviewHandlers(context));
  });
  await app.register(async (scope) => {
    refuseOtherOrigins(scope, publicOrigin);
    await limitAccounts(scope, options.filesPerMinute);
    addCalls(scope, ofCvs.files, {
      ...fileHandlers(context),
      ...importHandlers(),
      ...photoHandlers(context),
    });
    addCalls(scope, ofPortfolio.files, pictureHandlers(context));
  });
}

/** By what a call costs. */
function splitCvCalls() {
  const {
    "POST /api/cvs/preview": preview,
    "GET /api/cvs/:cvId/files/:format": file,
    "GET /api/cvs/:cvId/check": check,
    "POST /api/cvs/import": importing,
    "POST /api/cvs/:cvId/photo": photo,
    ...calls
  } = cvCalls;
  return {
    calls,
    previews: { "POST /api/cvs/preview": preview },
    files: {
      "GET /api/cvs/:cvId/files/:format": file,
      "GET /api/cvs/:cvId/check": check,
      "POST /api/cvs/import": importing,
      "POST /api/cvs/:cvId/photo": photo,
    },
  };
}

function splitPortfolioCalls() {
  const {
    "POST /api/portfolio/preview": preview,
    "POST /api/portfolio/pictures": picture,
    ...calls
  } = portfolioCalls;
  return {
    calls,
    previews: { "POST /api/portfolio/preview": preview },
    files: { "POST /api/portfolio/pictures": picture },
  };
}
