import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  type Request,
  type Response,
} from "playwright-core";
import { inject } from "vitest";

import {
  closeContexts,
  type ContextSettings,
  emptyStorage,
  keepContext,
  sharedBrowser,
  takeContext,
} from "./kept-contexts.ts";
import { MailBox } from "./mail-box.ts";
import type {} from "./product.global-setup.ts";

/** The collector marks headless browsers as bots. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

/** Long enough for a busy machine. */
const patienceMs = 10_000;

export type Language = "en" | "he";

/** States of one page, in each language by turns: both directions are seen, no state twice. */
export const inTurn = <State extends object>(
  states: readonly State[],
): (State & { language: Language })[] =>
  states.map((state, index) => ({ ...state, language: index % 2 === 0 ? "en" : "he" }));

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
  /** Loads code of pages that are not open, as browsers do unless their user saves data. */
  loadsAhead?: boolean;
  /**
   * Without the code of the pages in its cache. Others come in the context of an earlier visit that was like this one;
   * what a journey does to its context beside routes, cookies and permissions must be undone, or the visit be fresh.
   */
  fresh?: boolean;
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

/** What a request says to the collector; the events of a batch as the calls that they are alone. */
export function callsOf(request: Request): Call[] {
  const path = new URL(request.url()).pathname;
  if (!path.startsWith("/api/analytics/")) return [];
  const { events, ...body } = parseObject(request.postData());
  if (!Array.isArray(events)) return [{ name: path.split("/").at(-1) ?? "", body }];
  return events.map((event: unknown) => {
    const { type, ...about } = parseObject(JSON.stringify(event));
    return { name: String(type), body: { ...body, ...about } };
  });
}

function listen(page: Page, calls: Call[], noise: string[]): void {
  page.on("request", (request) => calls.push(...callsOf(request)));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // What was not loaded is in the message's place alone.
    noise.push(`${message.text()} ${message.location().url}`.trim());
  });
  page.on("pageerror", (error) => noise.push(error.message));
}

/**
 * The view of this page, or where the visitor has yet to decide, the start of the visit. Not what
 * the previous page sends as it closes.
 */
function isArrivalAt(request: Request, page: string): boolean {
  if (request.resourceType() === "ping") return false;
  return callsOf(request).some(({ name, body }) =>
    name === "pageview"
      ? body["page"] === page
      : body["consentPending"] === true && body["landingPage"] === page,
  );
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

/** Loading all pages of the signed-in area with each of them was half of what a browser did for a journey. */
const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } });`;

/** A visitor in a browser context of its own, or in one that others have left. */
export async function newVisitor(
  browser: Browser,
  origin: string,
  {
    language = "en",
    signal,
    before = "",
    loadsAhead = false,
    fresh = false,
    ...options
  }: VisitorOptions,
): Promise<Visitor> {
  const settings: ContextSettings = {
    baseURL: origin,
    userAgent,
    locale: language === "he" ? "he-IL" : "en-US",
    reducedMotion: "reduce",
    ...(signal === undefined ? {} : { extraHTTPHeaders: signals[signal].header }),
    ...options,
  };
  const context = await (fresh ? browser.newContext(settings) : takeContext(browser, settings));
  const first = [signal === undefined ? "" : signals[signal].script, loadsAhead ? "" : saveData];
  const script = await context.addInitScript([...first, before].join("\n"));
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  if (!fresh) await emptyStorage(page, origin);
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
    leave: async () => {
      if (fresh) return context.close();
      await script.dispose();
      await keepContext(context, settings);
    },
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

/** A product that runs, for visits of the worker's browser. `stop` ends them, then the product. */
export function openStack(
  { origin, clickhouse, mailUrl }: Product,
  stopProduct?: () => Promise<void>,
): Stack {
  return {
    origin,
    visit: async (options = {}) => newVisitor(await sharedBrowser(), origin, options),
    ask: (sql) => {
      if (clickhouse === undefined) throw new Error("ClickHouse does not run");
      return askClickhouse(clickhouse.url, clickhouse.database, sql);
    },
    mail: new MailBox(mailUrl),
    stop: async () => {
      await closeContexts(stopProduct && origin);
      await stopProduct?.();
    },
  };
}

/** The pages alone, shared with other journeys: what they call is answered by the journey itself. */
export const startPages = (): Promise<Stack> =>
  Promise.resolve(openStack({ origin: inject("pagesOrigin") }));
