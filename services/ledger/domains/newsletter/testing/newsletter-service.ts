import { buildServer } from "@pro-talent/platform/http/build-server";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";

import {
  createTestLedger,
  type TestLedger,
  testSubjectKeys,
} from "../../testing/create-test-ledger.ts";
import { addBounceRoute } from "../bounces.routes.ts";
import type { NewsletterRoutes } from "../route-options.ts";
import { addNewsletterRoutes } from "../routes.ts";
import { newsletterTokenKey, writeToken } from "../token.ts";

export const publicOrigin = "https://talent.example";
export const internalToken = "internal-token-of-the-tests-0123456789";
export const tokenKey = newsletterTokenKey(testSubjectKeys.lookupKey);

type Posted = Promise<LightMyRequestResponse>;

/** The newsletter's routes over a ledger of their own, with a clock that tests move. */
export type NewsletterService = {
  readonly ledger: TestLedger;
  readonly app: FastifyInstance;
  /** Moves the service's clock on. */
  readonly pass: (ms: number) => void;
  readonly now: () => number;
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Posted;
  readonly postForm: (path: string, fields: string, headers?: Record<string, string>) => Posted;
  readonly get: (path: string, headers?: Record<string, string>) => Posted;
  /** What the outbox was given, in order. */
  readonly messages: () => Promise<readonly OutboxRow[]>;
  /** The newest confirmation mail that was asked for. */
  readonly newestMail: () => Promise<{ subscriberId: string; mail: number; token: string }>;
  readonly close: () => Promise<void>;
};

export type OutboxRow = { name: string; payload: { subscriberId: string; mail?: number } };

/** What the footer's form sends, unless changed. */
export function wish(email: string, change: Record<string, unknown> = {}): Record<string, unknown> {
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

export const browserOf = (language: Locale): Record<string, string> => ({
  "accept-language": language,
});

export async function openNewsletterService(
  change: Partial<NewsletterRoutes> = {},
): Promise<NewsletterService> {
  const ledger = await createTestLedger();
  let ms = Date.UTC(2026, 0, 5, 8);
  const clock = (): number => ms;
  const { store, subjects } = ledger;
  const app = buildServer({ log: createLogger({ service: "ledger", level: "silent" }) });
  const options = { store, subjects, clock, tokenKey, publicOrigin, formsPerMinute: 10_000 };
  await app.register(async (scope) => addNewsletterRoutes(scope, { ...options, ...change }));
  await app.register(async (scope) => addBounceRoute(scope, { store, clock, internalToken }));
  const send = (type: string) => (path: string, body: string, headers: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: path,
      headers: { "content-type": type, ...headers },
      payload: body,
    });
  const messages = async (): Promise<readonly OutboxRow[]> =>
    await ledger.owner<OutboxRow[]>`select name, payload from ledger.outbox order by id`;
  return {
    ledger,
    app,
    pass: (by) => {
      ms += by;
    },
    now: clock,
    post: (path, body, headers = {}) =>
      send("application/json")(path, JSON.stringify(body), headers),
    postForm: (path, fields, headers = {}) =>
      send("application/x-www-form-urlencoded")(path, fields, headers),
    get: (path, headers = {}) => app.inject({ method: "GET", url: path, headers }),
    messages,
    newestMail: async () => {
      const row = (await messages()).findLast(({ payload }) => payload.mail !== undefined);
      if (row === undefined) throw new Error("No confirmation mail was asked for");
      const { subscriberId, mail = 0 } = row.payload;
      const token = writeToken(tokenKey, { purpose: "confirm", subscriberId, mail });
      return { subscriberId, mail, token };
    },
    close: async () => {
      await app.close();
      await ledger.drop();
    },
  };
}

export const manageToken = (subscriberId: string): string =>
  writeToken(tokenKey, { purpose: "manage", subscriberId, mail: 0 });

/** Somebody who asked and confirmed. */
export async function subscribeAndConfirm(
  service: NewsletterService,
  email: string,
  change: Record<string, unknown> = {},
): Promise<{ subscriberId: string; token: string }> {
  await service.post("/api/newsletter/subscribe", wish(email, change));
  const { subscriberId, token } = await service.newestMail();
  await service.post("/api/newsletter/confirm", { token });
  return { subscriberId, token: manageToken(subscriberId) };
}
