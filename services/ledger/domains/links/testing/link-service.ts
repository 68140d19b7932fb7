import { randomUUID } from "node:crypto";

import type { FileStore } from "@pro-talent/platform/files/file-store";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type {
  Role,
  SignedIn,
  TokenHolder,
  TokenScope,
} from "@pro-talent/schemas/primitives/access";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";

import { buildLedgerApp } from "../../../app.ts";
import type { DomainModule, WorkerContext } from "../../../kernel/module.ts";
import {
  createTestLedger,
  internalToken,
  testCause,
  type TestLedger,
} from "../../../testing/create-test-ledger.ts";
import { type LinkParts, linksModule } from "../module.ts";

/** A signed-in browser. */
type Browser = {
  readonly accountId: string;
  readonly send: (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: string,
    payload?: object,
    key?: string,
  ) => Promise<LightMyRequestResponse>;
};

export type LinkService = {
  readonly module: DomainModule;
  readonly worker: WorkerContext;
  readonly ledger: TestLedger;
  readonly app: FastifyInstance;
  readonly files: FileStore;
  /** The stored files, by name. */
  readonly stored: Map<string, Uint8Array>;
  readonly browser: (roles?: readonly Role[]) => Browser;
  /** Reads with an access token of an account. */
  readonly program: (
    accountId: string,
    scopes?: readonly TokenScope[],
  ) => (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  /** As the collector. */
  readonly internal: (options: InjectOptions) => Promise<LightMyRequestResponse>;
  readonly moveClock: (ms: number) => void;
  /** Does what is due after a link was erased. */
  readonly destroy: (linkId: string) => Promise<void>;
  /** Does what the worker repeats. */
  readonly sweep: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Links over a ledger of their own, files in memory, and a clock that tests move. */
export async function openLinkService(parts: LinkParts = {}): Promise<LinkService> {
  const ledger = await createTestLedger();
  const stored = new Map<string, Uint8Array>();
  let ms = Date.UTC(2026, 2, 1, 9);
  const clock = (): number => ms;
  const files = filesIn(stored, clock);
  const module = linksModule({
    files,
    emailOf: async (accountId) => `${accountId}@example.com`,
    opens: {
      opened: async () => [],
      firstOpens: async () => [],
      opens: async () => [],
    },
    ...parts,
  });
  const tokens = new Map<string, SignedIn>();
  const programs = new Map<string, TokenHolder>();
  const app = await buildLedgerApp({
    ...ledger,
    clock,
    log: createLogger({ service: "test", level: "silent" }),
    keys: ledger.testKeys.keys,
    formsPerMinute: 10_000,
    readsPerMinute: 10_000,
    environment: {},
    modules: [module],
    sessions: {
      ofToken: async (token) => tokens.get(token),
      ofTicket: async () => undefined,
      ofAccessToken: async (token) => programs.get(token),
    },
  });
  const mailer = {
    send: async () => undefined,
    reachable: async () => true,
    close: async () => undefined,
  };
  const stopping = new AbortController().signal;
  const worker = { ...ledger, clock, stopping, mailer };
  const handlers = module.timers(worker, {});
  return {
    module,
    worker,
    ledger,
    app,
    stored,
    files,
    browser: (roles = ["holder"]) => {
      const [accountId, token] = [randomUUID(), randomUUID()];
      const session = { accountId, sessionId: randomUUID(), roles, factor: true };
      return {
        accountId,
        send: async (method, url, payload, key = randomUUID()) => {
          tokens.set(token, { ...session, authenticatedMs: ms });
          const headers = { authorization: `Bearer ${token}`, "idempotency-key": key };
          return await app.inject({ method, url, headers, ...(payload && { payload }) });
        },
      };
    },
    program: (accountId, scopes = ["links:read"]) => {
      const token = `pt_${randomUUID()}`;
      programs.set(token, { accountId, tokenId: randomUUID(), scopes });
      return async (url, headers = {}) =>
        await app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } });
    },
    internal: async (options) =>
      await app.inject({ ...options, headers: { authorization: `Bearer ${internalToken}` } }),
    moveClock: (by) => {
      ms += by;
    },
    destroy: async (linkId) => {
      const context = { now: instantFromMs(ms), cause: testCause() };
      await handlers["links.destroy"]?.(linkId, context);
    },
    sweep: async () => {
      for (const { run } of module.repeats(worker, {})) await run();
    },
    close: async () => {
      await app.close();
      await ledger.drop();
    },
  };
}

function filesIn(stored: Map<string, Uint8Array>, clock: () => number): FileStore {
  const changed = new Map<string, number>();
  return {
    write: async (name, content) => {
      stored.set(name, content);
      changed.set(name, clock());
    },
    read: async (name) => {
      const content = stored.get(name);
      return content && Buffer.from(content);
    },
    remove: async (name) => void stored.delete(name),
    list: async function* list(folder) {
      for (const name of stored.keys())
        if (name.startsWith(`${folder}/`)) yield { name, changedMs: changed.get(name) ?? 0 };
    },
  };
}
