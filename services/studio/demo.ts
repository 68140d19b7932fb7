import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import {
  type DemoPart,
  type DemoPerson,
  demoClock,
  demoPortrait,
} from "@pro-talent/platform/runtime/demo";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { locales } from "@pro-talent/schemas/primitives/locale";
import { CvState } from "@pro-talent/schemas/studio/calls";
import sharp from "sharp";
import { z } from "zod";

import { buildStudioApp } from "./app.ts";
import { documentOf, type InventedCv, noaInEnglish, noaInHebrew, yonatan } from "./demo-cvs.ts";
import { readServiceEnv } from "./env.ts";
import { eraseCvs } from "./erase.ts";
import { readKeySettings } from "./key-settings.ts";
import { openStudioKeys } from "./keys.ts";
import { openCvDrawer } from "./pdf/draw-cv.ts";
import { demoPictures } from "./portfolio/demo-pictures.ts";
import { demoPortfolio } from "./portfolio/demo-portfolio.ts";

type Source = Readonly<Record<string, string | undefined>>;
const dayMs = 24 * 60 * 60_000;

/** The CVs of the demo's owners and a portfolio in both languages, by the calls of the service. */
export const studioDemo: DemoPart = {
  make: (source, { nowMs, people }) =>
    withService(source, async ({ at, call, save }) => {
      const [premium, free] = (["premium", "free"] as const).map((name) =>
        people.find((person) => person.name === name),
      );
      if (premium !== undefined) {
        at(nowMs - 60 * dayMs);
        const english = await save(premium, "POST /api/cvs", created(noaInEnglish));
        const path = `/api/cvs/${english.cvId}`;
        at(nowMs - 20 * dayMs);
        const [summary, ...rest] = english.document.sections;
        const sections = summary === undefined ? rest : [summary, ...rest.toReversed()];
        await save(premium, `POST ${path}/edits`, {
          basedOn: english.version,
          document: { ...english.document, sections },
        });
        at(nowMs - 20 * dayMs + 60_000);
        await save(premium, `POST ${path}/undo`);
        at(nowMs - 6 * dayMs);
        const hebrew = { ...created(noaInHebrew), copyOf: english.cvId };
        await save(premium, "POST /api/cvs", hebrew);
        at(nowMs - 5 * dayMs);
        await publishPortfolio((name, body) => call(premium, name, body), english.cvId);
      }
      at(nowMs - 2 * dayMs);
      if (free !== undefined) await save(free, "POST /api/cvs", created(yonatan));
    }),
  remove: async (source, people) => {
    await withService(source, async ({ sql }) => {
      for (const { accountId } of people) await sql.begin((tx) => eraseCvs(tx, accountId));
    });
    return [];
  },
};

const created = (cv: InventedCv) => ({
  title: cv.title,
  language: cv.language,
  document: documentOf(cv),
});

type Call = (name: string, body?: object) => Promise<unknown>;

/** A page in each language, with pictures; readers may write, and save the CV. */
async function publishPortfolio(call: Call, cvId: string): Promise<void> {
  const store = async (svg: string): Promise<string> => {
    const content = (await sharp(Buffer.from(svg)).png().toBuffer()).toString("base64");
    const stored = await call("POST /api/portfolio/pictures", { content });
    return z.object({ file: z.string() }).parse(stored).file;
  };
  const { handover, chart, ward, parts } = demoPictures;
  const files = {
    handover: await store(handover),
    chart: await store(chart),
    ward: await store(ward),
    parts: await store(parts),
    portrait: await store(demoPortrait),
  };
  for (const language of locales) {
    const document = demoPortfolio(language, files);
    const offered = language === "en" ? { ...document, cvId } : document;
    const path = `PUT /api/portfolio/pages/${language}`;
    await call(path, { basedOn: null, document: offered });
  }
  await call("PATCH /api/portfolio", { contactForm: true });
  const pages = locales.map((language) => ({ language, version: 1 }));
  await call("POST /api/portfolio/publish", { state: "published", pages });
}

type Service = {
  readonly sql: Sql;
  /** Moves the clock of the calls. */
  readonly at: (ms: number) => void;
  /** Calls as the browser of a person does. @throws for a refusal */
  readonly call: (
    person: Pick<DemoPerson, "accountId">,
    name: string,
    body?: object,
  ) => Promise<unknown>;
  readonly save: (
    person: Pick<DemoPerson, "accountId">,
    name: string,
    body?: object,
  ) => Promise<CvState>;
};

/** The calls of the service, at times that are stated; the bearer token is the account. */
async function withService(
  source: Source,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const clock = demoClock(source);
  const env = readServiceEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 2, applicationName: "demo-studio" });
  const keys = await openStudioKeys(sql, readKeySettings(source), clock());
  const drawer = openCvDrawer();
  let nowMs = clock();
  const person = { roles: ["holder" as const], factor: false, authenticatedMs: nowMs };
  const app = await buildStudioApp({
    context: { sql, keys, clock: () => nowMs, drawer },
    sessions: {
      ofToken: async (accountId) => ({ ...person, accountId, sessionId: accountId }),
      ofTicket: async () => undefined,
      ofAccessToken: async () => undefined,
    },
    planOf: async () => ({ mayPublish: true, mayCustomize: true, takenDown: false }),
    log: createLogger({ service: "demo", level: "silent" }),
    internalToken: env.INTERNAL_TOKEN,
    publicOrigin: env.PUBLIC_ORIGIN,
    callsPerMinute: 10_000,
    previewsPerMinute: 10_000,
    filesPerMinute: 10_000,
  });
  const call: Service["call"] = async ({ accountId }, name, body = {}) => {
    const [method, url = ""] = name.split(" ");
    const headers = { authorization: `Bearer ${accountId}` };
    const request = { url, headers, payload: body };
    const answer = await app.inject({
      ...request,
      method: method === "PUT" || method === "PATCH" ? method : "POST",
    });
    if (answer.statusCode >= 300) throw new Error(`${name}: ${answer.body}`);
    return answer.json<unknown>();
  };
  const save: Service["save"] = async (...request) =>
    z.object({ cv: CvState }).parse(await call(...request)).cv;
  try {
    await work({ sql, at: (ms) => void (nowMs = ms), call, save });
  } finally {
    await app.close();
    await drawer.close();
    await sql.end();
  }
}
