import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
  type Response,
} from "playwright-core";
import { inject } from "vitest";

import { productServices } from "../../infra/embedded/services/product-services.ts";
import type { ServiceDefinition } from "../../infra/embedded/services/service-definition.ts";
import { startPlatform } from "../../infra/embedded/start-platform.ts";
import { createTerminal } from "../../infra/embedded/terminal.ts";
import { findChromium } from "../../infra/quality/find-chromium.ts";
import { MailBox } from "./mail-box.ts";
import type {} from "./product.global-setup.ts";

/** The collector marks headless browsers as bots. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

/** Long enough for a busy machine. */
const patienceMs = 10_000;

export type Language = "en" | "he";

/** A call to the collector. */
export type Call = { name: string; body: Record<string, unknown> };

export type Visitor = {
  page: Page;
  /** Calls to the collector, in order. */
  calls: readonly Call[];
  of: (name: string) => Call[];
  /** Errors, warnings and policy violations that the browser reported. */
  noise: readonly string[];
  /** Opens a page and waits for its first report, which is sent after hydration. */
  open: (path: string) => Promise<Response | null>;
  leave: () => Promise<void>;
};

export type VisitorOptions = BrowserContextOptions & {
  language?: Language;
  signal?: "dnt" | "gpc";
  /** Script that runs in every document before its own. */
  before?: string;
};

export type Stack = {
  origin: string;
  visit: (options?: VisitorOptions) => Promise<Visitor>;
  /** Runs a ClickHouse query; returns its text. */
  ask: (sql: string) => Promise<string>;
  /** All mails that the platform has sent. */
  mail: MailBox;
  stop: () => Promise<void>;
};

function parseObject(text: string | null): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text ?? "{}");
  return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
}

function listen(page: Page, calls: Call[], noise: string[]): void {
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (!path.startsWith("/api/analytics/")) return;
    calls.push({ name: path.split("/").at(-1) ?? "", body: parseObject(request.postData()) });
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") noise.push(message.text());
  });
  page.on("pageerror", (error) => noise.push(error.message));
}

/**
 * The view of this page, or where the visitor has yet to decide, the start of the visit. Not what
 * the previous page sends as it closes.
 */
function isArrivalAt(request: Request, page: string): boolean {
  const { pathname } = new URL(request.url());
  if (!pathname.startsWith("/api/analytics/") || request.resourceType() === "ping") return false;
  const body = parseObject(request.postData());
  if (pathname.endsWith("/track/pageview")) return body["page"] === page;
  return body["consentPending"] === true && body["landingPage"] === page;
}

const signals = {
  dnt: {
    header: { DNT: "1" },
    script: `Object.defineProperty(navigator,'doNotTrack',{value:'1'})`,
  },
  gpc: {
    header: { "Sec-GPC": "1" },
    script: `Object.defineProperty(navigator,'globalPrivacyControl',{value:true})`,
  },
} as const;

/** A visitor in a browser context of its own. */
export async function newVisitor(
  browser: Browser,
  origin: string,
  { language = "en", signal, before, ...options }: VisitorOptions,
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    userAgent,
    locale: language === "he" ? "he-IL" : "en-US",
    reducedMotion: "reduce",
    ...(signal === undefined ? {} : { extraHTTPHeaders: signals[signal].header }),
    ...options,
  });
  if (signal !== undefined) await context.addInitScript(signals[signal].script);
  if (before !== undefined) await context.addInitScript(before);
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const calls: Call[] = [];
  const noise: string[] = [];
  listen(page, calls, noise);
  const of = (name: string): Call[] => calls.filter((call) => call.name === name);
  return {
    page,
    calls,
    of,
    noise,
    open: async (path) => {
      const { pathname } = new URL(path, origin);
      const alive = page.waitForRequest((request) => isArrivalAt(request, pathname));
      const answer = await page.goto(path);
      await alive;
      return answer;
    },
    leave: () => context.close(),
  };
}

async function askClickhouse(address: string, database: string, sql: string): Promise<string> {
  const url = new URL(address);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = "";
  url.password = "";
  url.searchParams.set("database", database);
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  const answer = await fetch(url, { method: "POST", body: sql, headers: { authorization } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
}

type Product = {
  origin: string;
  clickhouse?: { url: string; database: string } | undefined;
  mailUrl?: string | undefined;
};

/** A product that runs, and a browser of its own. `stop` ends the browser, then what it is given. */
async function openStack(
  { origin, clickhouse, mailUrl }: Product,
  stopProduct: () => Promise<void>,
): Promise<Stack> {
  const browser = await chromium.launch(findChromium());
  return {
    origin,
    visit: (options = {}) => newVisitor(browser, origin, options),
    ask: (sql) => {
      if (clickhouse === undefined) throw new Error("ClickHouse does not run");
      return askClickhouse(clickhouse.url, clickhouse.database, sql);
    },
    mail: new MailBox(mailUrl),
    stop: async () => {
      await browser.close();
      await stopProduct();
    },
  };
}

/** These services of the product, in a directory and on a port of their own. */
async function startServices(services: readonly ServiceDefinition[]): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), "journey-"));
  const platform = await startPlatform({
    dataDir,
    port: 0,
    logLevel: "warn",
    services,
    terminal: createTerminal(() => undefined),
    signal: new AbortController().signal,
  });
  const { origin, clickhouse, mail } = platform.runtime;
  return openStack({ origin, clickhouse, mailUrl: mail?.webUrl }, async () => {
    await platform.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/** The whole product, shared with other journeys: nothing may depend on how much it has stored. */
export const startStack = (): Promise<Stack> =>
  openStack(inject("product"), () => Promise.resolve());

/** The whole product, for this journey alone. */
export const startOwnStack = (): Promise<Stack> => startServices(productServices);

const opened: Readonly<Record<string, Record<string, string>>> = {
  accounts: { REGISTRATION: "open" },
  ledger: { BILLING: "open" },
};

/** The whole product with registration and plans open to all, for one journey alone. */
export const startOpenStack = (): Promise<Stack> =>
  startServices(
    productServices.map((service) => ({
      ...service,
      environment: (context, origin) => ({
        ...service.environment(context, origin),
        ...opened[service.name],
      }),
    })),
  );

/** The pages alone: what they call is answered by the journey itself. */
export const startPages = (): Promise<Stack> =>
  startServices(productServices.filter(({ name }) => name === "site"));
