import type { Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { expect } from "vitest";

import { buildLedgerApp } from "../../../app.ts";
import { createTestLedger, type TestLedger } from "../../../testing/create-test-ledger.ts";
import { mailTokenKey, writeToken } from "../mail-tokens.ts";
import { newsletter } from "../module.ts";

type Posted = Promise<LightMyRequestResponse>;
type Headers = Readonly<Record<string, string>>;

/** The newsletter over a ledger of its own, with a clock that tests move. */
export type NewsletterService = {
  readonly ledger: TestLedger;
  readonly app: FastifyInstance;
  /** Moves the service's clock on. */
  readonly advance: (ms: number) => void;
  readonly now: () => number;
  readonly post: (path: string, body: unknown, headers?: Headers) => Posted;
  readonly postForm: (path: string, fields: string, headers?: Headers) => Posted;
  readonly get: (path: string) => Posted;
  /** The messages of the outbox, in order. */
  readonly messages: () => Promise<readonly OutboxRow[]>;
  /** The confirmation mail that was requested last. */
  readonly newestMail: () => Promise<{ subscriberId: string; mail: number; token: string }>;
  /** The token of other mails. */
  readonly manageToken: (subscriberId: string) => string;
  /** A subscriber's status in the read model. */
  readonly statusOf: (subscriberId: string) => Promise<unknown>;
  readonly countEvents: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export type OutboxRow = { name: string; payload: { subscriberId: string; mail?: number } };

/** What the form in the footer sends, unless changed. */
export function subscribeBody(
  email: string,
  change: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    email,
    language: "en",
    sourceContext: "footer_form",
    consentText:
      "I agree to receive newsletter updates and accept the Privacy Policy and Terms of Service.",
    preferences: { frequency: "weekly", topics: ["updates", "features"] },
    tags: [],
    ...change,
  };
}

export const browserOf = (language: Locale): Headers => ({ "accept-language": language });

/** @param change `sql` replaces the service's pool, not the ledger's own */
export async function openNewsletterService(
  change: { formsPerMinute?: number; readsPerMinute?: number; sql?: Sql } = {},
): Promise<NewsletterService> {
  const ledger = await createTestLedger();
  const { owner, publicOrigin } = ledger;
  let ms = Date.UTC(2026, 0, 5, 8);
  const clock = (): number => ms;
  const app = await buildLedgerApp({
    sql: ledger.sql,
    log: createLogger({ service: "ledger", level: "silent" }),
    clock,
    keys: ledger.testKeys.keys,
    publicOrigin,
    accounts: ledger.accounts,
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    modules: [newsletter],
    ...change,
  });
  const tokenKey = mailTokenKey(ledger);
  const postAs = (type: string, url: string, payload: string, headers: Headers = {}): Posted =>
    app.inject({ method: "POST", url, headers: { "content-type": type, ...headers }, payload });
  const messages = async (): Promise<readonly OutboxRow[]> =>
    await owner<OutboxRow[]>`select name, payload from ledger.outbox order by id`;
  return {
    ledger: { ...ledger, clock },
    app,
    advance: (by) => {
      ms += by;
    },
    now: clock,
    post: (path, body, headers) => postAs("application/json", path, JSON.stringify(body), headers),
    postForm: (path, fields, headers) =>
      postAs("application/x-www-form-urlencoded", path, fields, headers),
    get: (path) => app.inject(path),
    messages,
    newestMail: async () => {
      const row = (await messages()).findLast(({ payload }) => payload.mail !== undefined);
      if (row === undefined) throw new Error("No confirmation mail was requested");
      const { subscriberId, mail = 0 } = row.payload;
      const token = writeToken(tokenKey, { purpose: "confirm", subscriberId, mail });
      return { subscriberId, mail, token };
    },
    manageToken: (subscriberId) =>
      writeToken(tokenKey, { purpose: "manage", subscriberId, mail: 0 }),
    statusOf: async (subscriberId) => {
      const [row] = await owner`
        select status from ledger.newsletter_subscriber where subscriber_id = ${subscriberId}`;
      return row?.["status"];
    },
    countEvents: async () => (await owner`select from ledger.event`).length,
    close: async () => {
      await app.close();
      await ledger.drop();
    },
  };
}

/** A subscriber who requested the newsletter and confirmed, with the token of later mails. */
export async function subscribeAndConfirm(
  service: NewsletterService,
  email: string,
  change: Record<string, unknown> = {},
): Promise<{ subscriberId: string; token: string }> {
  await service.post("/api/newsletter/subscribe", subscribeBody(email, change));
  const { subscriberId, token } = await service.newestMail();
  await service.post("/api/newsletter/confirm", { token });
  return { subscriberId, token: service.manageToken(subscriberId) };
}

/** Expects problem details with this code, and a text for the visitor. */
export function expectRefusal(
  response: LightMyRequestResponse,
  status: number,
  code: string,
): void {
  expect(response.json()).toMatchObject({ code, error: expect.stringMatching(/\w|[א-ת]/) });
  expect(response.statusCode).toBe(status);
}
