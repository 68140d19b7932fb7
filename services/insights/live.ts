import { PassThrough, type Readable } from "node:stream";

import type { SignInSessions } from "@pro-talent/platform/http/admission";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

import type { InsightsContext } from "./asking.ts";
import { arrivals } from "./questions/arrivals.ts";
import { spanParams } from "./questions/owner-opens.ts";
import { openView, VisitorNumbers } from "./views.ts";

type Arrival = z.output<typeof arrivals.row>;

type Listener = {
  readonly accountId: string;
  readonly token: string;
  readonly sinceMs: number;
  readonly stream: PassThrough;
  readonly numbers: VisitorNumbers;
  /** What was sent of each open, while it is looked at. */
  sent: Map<string, string>;
};

export type LiveOptions = {
  readonly context: InsightsContext;
  readonly sessions: Pick<SignInSessions, "ofToken">;
  readonly log: Logger;
};

/** Records reach ClickHouse within a second, so that an open is sent within two. */
const pollMs = 750;
/** A comment keeps connections open; whether the session still holds is read as often. */
const heartbeatMs = 15_000;
/** How long an open is looked at: a page that is seen later than this is in the next answer instead. */
const windowMs = 5 * 60_000;
/** Clocks of machines differ by less. */
const aheadMs = 60_000;
const streamsPerAccountMax = 5;
/** Bytes that a connection may leave unread. */
const unreadMax = 256 * 1024;

/**
 * Streams of server-sent events (HTML Standard, 9.2) with opens (`open`) and requests that count as none
 * (`left-out`), from one question for all of them.
 */
export class LiveOpens {
  readonly #options: LiveOptions;
  readonly #listeners = new Set<Listener>();
  readonly #polling: Repetition;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: LiveOptions) {
    this.#options = options;
    const { log } = options;
    this.#polling = repeat({
      everyMs: pollMs,
      pass: async () => {
        if (this.#listeners.size > 0) await this.#poll();
        return "wait";
      },
      onFailing: (error) => log.warn({ err: error }, "live opens cannot be read"),
    });
    this.#heartbeat = setInterval(() => void this.endUnauthorised(), heartbeatMs);
  }

  /**
   * A stream of the opens of an account's links from now on; it ends with the sign-in session.
   * @throws ProblemError when the account has too many
   */
  listen(accountId: string, token: string): Readable {
    const own = [...this.#listeners].filter((listener) => listener.accountId === accountId);
    if (own.length >= streamsPerAccountMax) {
      throw new ProblemError("rate_limited", { retryAfterSeconds: heartbeatMs / 1000 });
    }
    const stream = new PassThrough();
    const sinceMs = this.#options.context.clock();
    const numbers = new VisitorNumbers();
    const listener: Listener = { accountId, token, sinceMs, stream, numbers, sent: new Map() };
    this.#listeners.add(listener);
    stream.once("close", () => this.#listeners.delete(listener));
    stream.write("retry: 3000\n\n");
    return stream;
  }

  /** How many are connected. */
  get count(): number {
    return this.#listeners.size;
  }

  /** Ends all streams. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    for (const { stream } of this.#listeners) stream.end();
    await this.#polling.stop();
  }

  async #poll(): Promise<void> {
    const { owners, questions, clock } = this.#options.context;
    const accounts = [...new Set([...this.#listeners].map(({ accountId }) => accountId))];
    const links = (await Promise.all(accounts.map((id) => owners.linksOf(id)))).flat();
    const span = {
      from: instantFromMs(clock() - windowMs),
      until: instantFromMs(clock() + aheadMs),
    };
    const rows = await questions.now(arrivals, { accounts, links, ...spanParams(span) });
    const byAccount = Map.groupBy(rows, (row) => row.accountId);
    for (const listener of this.#listeners) send(listener, byAccount.get(listener.accountId) ?? []);
  }

  /** Ends the streams of accounts whose sign-in session or plan has ended; the others get a comment. */
  async endUnauthorised(): Promise<void> {
    const { sessions, context } = this.#options;
    for (const { stream, token, accountId } of this.#listeners) {
      const holds = async (): Promise<boolean> =>
        (await sessions.ofToken(token)) !== undefined &&
        (await context.owners.accessOf(accountId)) === "granted";
      // What cannot be read now is read at the next time.
      if (await holds().catch(() => true)) stream.write(":\n\n");
      else stream.end();
    }
  }
}

/** What is new to a connection: requests since it began, and what became of earlier ones. */
function send(listener: Listener, rows: readonly Arrival[]): void {
  const { stream, numbers, sinceMs } = listener;
  const sent = new Map<string, string>();
  for (const row of rows) {
    const state = `${row.state} ${row.downloaded}`;
    const before = listener.sent.get(row.eventId);
    sent.set(row.eventId, state);
    const isEarlier = before === undefined && Date.parse(row.at) < sinceMs;
    if (isEarlier || before === state) continue;
    const event = row.exclusion === "" ? "open" : "left-out";
    stream.write(`event: ${event}\ndata: ${JSON.stringify(openView(row, numbers))}\n\n`);
  }
  listener.sent = sent;
  if (stream.writableLength > unreadMax) stream.destroy();
}
