import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { CvState } from "@pro-talent/schemas/studio/calls";
import type { CvDocument } from "@pro-talent/schemas/studio/document";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { z } from "zod";

import { buildStudioApp } from "../app.ts";
import type { StudioContext } from "../context.ts";
import { readKeySettings } from "../key-settings.ts";
import { openStudioKeys } from "../keys.ts";
import { migrateStudio } from "../migrate.ts";
import { openCvDrawer } from "../pdf/draw-cv.ts";

export const internalToken = "internal-token-of-the-tests-0123456789";
const publicOrigin = "https://talent.example";
export const dayMs = 24 * 60 * 60_000;

export type Studio = Awaited<ReturnType<typeof openStudioUnderTest>>;
type Change = Partial<
  Pick<Parameters<typeof buildStudioApp>[0], "previewsPerMinute" | "planOf" | "replicaUrl">
> & {
  /** Migrated already; a new one of the test engines when absent. */
  readonly database?: TestPostgres;
  readonly drawingSecondsMax?: number;
};

/** The studio on a database of its own, with a clock of the test's; a bearer token is the id of an account. */
export async function openStudioUnderTest(change: Change = {}) {
  const database =
    change.database ?? (await createTestPostgres({ name: "studio", migrate: migrateStudio }));
  const sql = openPool(asRole(database.ownerUrl, "studio_app"), {
    max: 8,
    applicationName: "test-studio",
  });
  const directory = await mkdtemp(join(tmpdir(), "studio-"));
  const keySource = {
    STUDIO_KEY: "5".repeat(64),
    STUDIO_KEY_STORE: pathToFileURL(join(directory, "keys.json")).href,
  };
  let nowMs = Date.UTC(2026, 10, 22, 12);
  const { drawingSecondsMax: secondsMax } = change;
  const drawer = openCvDrawer(secondsMax === undefined ? {} : { secondsMax });
  const context: StudioContext = {
    sql,
    keys: await openStudioKeys(sql, readKeySettings(keySource), nowMs),
    clock: () => nowMs,
    drawer,
  };
  const app = await buildStudioApp({
    context,
    sessions: {
      ofToken: async (accountId) => ({
        accountId,
        sessionId: accountId,
        roles: ["holder"],
        factor: false,
        authenticatedMs: nowMs,
      }),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
    planOf: async () => ({ mayPublish: true, mayCustomize: true, takenDown: false }),
    log: createLogger({ service: "studio", level: "silent" }),
    internalToken,
    publicOrigin,
    callsPerMinute: 1_000_000,
    previewsPerMinute: 1_000_000,
    filesPerMinute: 1_000_000,
    ...change,
  });
  /** Calls as the browser of an account does: `POST /api/cvs`. */
  const call = (
    accountId: string,
    name: string,
    body?: object,
  ): Promise<LightMyRequestResponse> => {
    const [method, url = ""] = name.split(" ");
    const headers = { authorization: `Bearer ${accountId}` };
    const options = { method, url, headers, ...(body && { payload: body }) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method is that of a call's name
    return app.inject(options as InjectOptions);
  };
  const state = async (accountId: string, name: string, body?: object): Promise<CvState> =>
    stateIn(await call(accountId, name, body));
  /** Calls as another service does. @throws for a refusal */
  const internal = async <Shape extends z.ZodRawShape>(
    name: string,
    shape: Shape,
    body?: object,
  ): Promise<z.output<z.ZodObject<Shape>>> => {
    const answer = await call(internalToken, name, body);
    if (answer.statusCode >= 300) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`);
    return z.object(shape).parse(answer.json());
  };
  return {
    app,
    sql,
    internal,
    context,
    ownerUrl: database.ownerUrl,
    call,
    state,
    advance: (ms: number) => void (nowMs += ms),
    /** A CV of a new account, unless one is given. */
    make: async (about: { accountId?: string; document?: CvDocument } = {}) => {
      const { accountId = randomUUID(), document } = about;
      const body = { title: "My CV", language: "en", ...(document && { document }) };
      const cv = await state(accountId, "POST /api/cvs", body);
      return { accountId, cvId: cv.cvId, cv };
    },
    drop: async () => {
      await app.close();
      await drawer.close();
      await sql.end();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}

/** The CV in an answer. @throws for any other answer */
export function stateIn(answer: LightMyRequestResponse): CvState {
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${answer.body}`);
  return z.object({ cv: CvState }).parse(answer.json()).cv;
}

/** Status and code of a refusal. */
export const refusalIn = (answer: LightMyRequestResponse): [number, string] => {
  const { code = "" } = answer.json<{ code?: string }>();
  return [answer.statusCode, code];
};

/** The same document with another name and so on. */
export const withProfile = (
  document: CvDocument,
  profile: Partial<CvDocument["profile"]>,
): CvDocument => ({ ...document, profile: { ...document.profile, ...profile } });
