import type { Page, Request, Route } from "playwright-core";
import { vi } from "vitest";

export type ForcedAnswer = { status: number; body?: unknown };
/** A call as a server sees it: `POST /api/checkout?x=1`, and its JSON. */
export type ArrivedCall = { method: string; path: string; body: unknown };

export type ForcedCall = {
  method: string;
  headers: Record<string, string>;
  body: unknown;
};

const patience = { timeout: 10_000, interval: 20 };

/** A form that the browser posted itself has fields instead of JSON. */
function fieldsOf(request: Request, text: string): unknown {
  const plain = request.headers()["content-type"]?.startsWith("application/x-www-form-urlencoded");
  return plain === true ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
}

function callOf(request: Request): ForcedCall {
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
  readonly #waiting: Route[] = [];

  async takeOver(page: Page, ...paths: readonly string[]): Promise<void> {
    await page.route(
      ({ pathname }) => paths.includes(pathname),
      (route) => {
        this.calls.push(callOf(route.request()));
        this.#waiting.push(route);
      },
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

  async #next(): Promise<Route> {
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
    await (await this.#next()).abort("internetdisconnected");
  }
}

/** Accepts analytics calls where no collector runs. */
export async function takeReports(page: Page): Promise<void> {
  await page.route("**/api/analytics/**", (route) =>
    route.fulfill({ status: 202, json: { sessionId: "s-1", anonymousId: "1700000000000-a1b2c3" } }),
  );
}
