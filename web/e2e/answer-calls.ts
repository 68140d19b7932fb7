import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { z } from "zod";

/** A call of a page, as Playwright describes requests. */
export type AnsweredRequest = {
  method: () => string;
  url: () => string;
  headers: () => Record<string, string>;
  postData: () => string | null;
  postDataJSON: () => unknown;
};

type Reply = { status?: number; json?: unknown; body?: string | Buffer; contentType?: string };

/** A call that waits for what a journey does with it, as Playwright's routes do. */
export type AnsweredCall = {
  request: () => AnsweredRequest;
  fulfill: (reply: Reply) => Promise<void>;
  /** Fails the call, as without a network. */
  abort: () => Promise<void>;
  /** Leaves the call to the rule before this one, or to the server. */
  fallback: () => Promise<void>;
};

type Handler = (call: AnsweredCall) => unknown;
type Rule = { matches: (path: string) => boolean; answer: Handler };

const Paused = z.object({
  requestId: z.string(),
  request: z.object({
    url: z.string(),
    method: z.string(),
    headers: z.record(z.string(), z.string()),
    postDataEntries: z.array(z.object({ bytes: z.string().optional() })).optional(),
  }),
});

function requestOf({ request }: z.infer<typeof Paused>): AnsweredRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const parts = request.postDataEntries?.map(({ bytes = "" }) => Buffer.from(bytes, "base64"));
  const posted = parts === undefined ? null : Buffer.concat(parts).toString();
  return {
    method: () => request.method,
    url: () => request.url,
    headers: () => headers,
    postData: () => posted,
    postDataJSON: (): unknown => (posted === null ? null : JSON.parse(posted)),
  };
}

function responseOf({ status = 200, json, body = "", contentType }: Reply) {
  const type = contentType ?? (json === undefined ? "text/plain" : "application/json");
  const content = json === undefined ? body : JSON.stringify(json);
  return {
    responseCode: status,
    responseHeaders: [{ name: "content-type", value: type }],
    body: Buffer.from(content).toString("base64"),
  };
}

async function answer(session: CDPSession, rules: readonly Rule[], event: unknown): Promise<void> {
  const paused = Paused.parse(event);
  const { requestId } = paused;
  const request = requestOf(paused);
  const matching = rules.filter(({ matches }) => matches(new URL(request.url()).pathname));
  // A page that has been left or closed takes no answer.
  const left = (): undefined => undefined;
  const fallback = async (): Promise<void> => {
    const rule = matching.pop();
    await (rule === undefined
      ? session.send("Fetch.continueRequest", { requestId }).catch(left)
      : rule.answer({ request: () => request, fulfill, abort, fallback }));
  };
  const fulfill = async (reply: Reply): Promise<void> => {
    await session.send("Fetch.fulfillRequest", { requestId, ...responseOf(reply) }).catch(left);
  };
  const abort = async (): Promise<void> => {
    const failure = { requestId, errorReason: "InternetDisconnected" } as const;
    await session.send("Fetch.failRequest", failure).catch(left);
  };
  await fallback();
}

const rulesOf = new WeakMap<BrowserContext, Rule[]>();

/** Leaves the calls of later pages of the context to the server. */
export const forgetAnswers = (context: BrowserContext): boolean => rulesOf.delete(context);

/** Whether calls of the context's pages are answered by {@link answerCalls}. */
export const isAnswered = (context: BrowserContext): boolean => rulesOf.has(context);

const attached = new WeakSet<Page>();

async function attach(page: Page, rules: readonly Rule[]): Promise<void> {
  if (attached.has(page)) return;
  attached.add(page);
  const session = await page.context().newCDPSession(page);
  session.on("Fetch.requestPaused", (event) => void answer(session, rules, event));
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/*" }] });
}

/**
 * Answers calls of the pages that a context has, and of those that {@link newAnsweredPage} opens; of several rules
 * the last that matches. Playwright's routes stop every request, scripts and pictures too, and switch the browser's
 * cache off: a page took three times as long to open.
 * @param path of the calls, or what says whether a path is one of them
 */
export async function answerCalls(
  context: BrowserContext,
  path: string | ((path: string) => boolean),
  handler: Handler,
): Promise<void> {
  const rules = rulesOf.get(context) ?? [];
  const matches = typeof path === "string" ? (called: string) => called === path : path;
  rules.push({ matches, answer: handler });
  rulesOf.set(context, rules);
  await Promise.all(context.pages().map((page) => attach(page, rules)));
}

/** Another tab of a context whose calls are answered. */
export async function newAnsweredPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await attach(page, rulesOf.get(context) ?? []);
  return page;
}
