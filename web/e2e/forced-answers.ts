import type { Page } from "playwright-core";
import { vi } from "vitest";

import {
  type AnsweredCall,
  type AnsweredRequest,
  answerCalls,
  isAnswered,
} from "./answer-calls.ts";

export type ForcedAnswer = { status: number; body?: unknown };
/** A call as a server sees it: `POST /api/checkout?x=1`, and its JSON. */
export type ArrivedCall = { method: string; path: string; body: unknown };

export type ForcedCall = {
  method: string;
  headers: Record<string, string>;
  body: unknown;
};

const patience = { timeout: 10_000, interval: 20 };

type HeldRequest = Pick<AnsweredRequest, "method" | "headers" | "postData">;
type HeldCall = Pick<AnsweredCall, "fulfill" | "abort">;

/** A form that the browser posted itself has fields instead of JSON. */
function fieldsOf(request: HeldRequest, text: string): unknown {
  const plain = request.headers()["content-type"]?.startsWith("application/x-www-form-urlencoded");
  return plain === true ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
}

function callOf(request: HeldRequest): ForcedCall {
  const text = request.postData();
  return {
    method: request.method(),
    headers: request.headers(),
    body: text === null ? undefined : fieldsOf(request, text),
  };
}

/** Holds every call of the page to these paths until the journey answers or cuts it. */
export class ForcedAnswers {
  readonly calls: ForcedCall[] = [];
  readonly #waiting: HeldCall[] = [];

  async takeOver(page: Page, ...paths: readonly string[]): Promise<void> {
    const hold = (call: HeldCall & { request: () => HeldRequest }): void => {
      this.calls.push(callOf(call.request()));
      this.#waiting.push(call);
    };
    const isHeld = (path: string): boolean => paths.includes(path);
    // What answers calls of the whole context would come before a route of the page.
    if (isAnswered(page.context())) await answerCalls(page.context(), isHeld, hold);
    else
      await page.route(
        ({ pathname }) => isHeld(pathname),
        (route) =>
          hold({
            request: () => route.request(),
            fulfill: (reply) => route.fulfill(reply),
            abort: () => route.abort("internetdisconnected"),
          }),
      );
  }

  /** Number of calls without an answer. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Forgets the calls so far. */
  forget(): void {
    this.calls.length = 0;
    this.#waiting.length = 0;
  }

  async #next(): Promise<HeldCall> {
    await vi.waitFor(() => {
      if (this.#waiting.length === 0) throw new Error("nothing was asked");
    }, patience);
    const route = this.#waiting.shift();
    if (route === undefined) throw new Error("nothing was asked");
    return route;
  }

  async answer({ status, body }: ForcedAnswer): Promise<void> {
    const route = await this.#next();
    await route.fulfill({
      status,
      contentType: "application/json",
      body: JSON.stringify(body ?? {}),
    });
  }

  /** Aborts the call, as without a network. */
  async cut(): Promise<void> {
    await (await this.#next()).abort();
  }
}

const isReport = (path: string): boolean => path.startsWith("/api/analytics/");
const accepted = {
  status: 202,
  json: { sessionId: "s-1", anonymousId: "1700000000000-a1b2c3" },
};

/** Accepts analytics calls where no collector runs. */
export const takeReports = (page: Page): Promise<void> =>
  answerCalls(page.context(), isReport, (call) => call.fulfill(accepted));

/** As {@link takeReports}, for journeys that stop scripts with a route and look at requests for calls as well. */
export async function routeReports(page: Page): Promise<void> {
  await page.route(
    ({ pathname }) => isReport(pathname),
    (route) => route.fulfill(accepted),
  );
}
