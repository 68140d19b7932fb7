import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import {
  openPool,
  type Queryable,
  type Sql,
  type Transaction,
} from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { asRole, createTestPostgres } from "@pro-talent/platform/testing/engines";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";

import { buildAccountsApp } from "../app.ts";
import type { AccountsContext } from "../context.ts";
import { deliverMails } from "../deliver-mails.ts";
import { readKeySettings } from "../key-settings.ts";
import { openAccountKeys } from "../keys.ts";
import { migrateAccounts } from "../migrate.ts";
import { loadWeakPasswords } from "../weak-passwords.ts";

export const internalToken = "internal-token-of-the-tests-0123456789";
export const publicOrigin = "https://talent.example";
/** The secret of the service. */
export const accountsKey = Buffer.alloc(32, "key of the tests");
export const goodPassword = "violet-harbour-93";
export const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

type Call = { body?: object; token?: string; headers?: Record<string, string>; ip?: string };

export type AccountsUnderTest = {
  /** The variables of its keys. */
  keySource: Record<string, string>;
  ownerUrl: string;
  app: FastifyInstance;
  /** The service's pool: role `accounts_app`. */
  sql: Sql;
  context: AccountsContext;
  /** Moves the clock of the service. */
  advance: (ms: number) => void;
  /** Calls as a browser does: `POST /api/account/sign-in`. */
  call: (name: string, call?: Call) => Promise<LightMyRequestResponse>;
  /** Sends what is due and returns it, the token of its link beside it. */
  mails: () => Promise<(Mail & { token: string })[]>;
  /** Opens an account by an invitation. @returns its bearer token */
  join: (email: string, password?: string) => Promise<string>;
  drop: () => Promise<void>;
};

/** The accounts service on a database of its own, with a clock and a mailbox of the test's. */
export async function openAccountsUnderTest(
  change: { registration?: "open" | "invitation"; entriesPerMinute?: number } = {},
): Promise<AccountsUnderTest> {
  const database = await createTestPostgres({ name: "accounts", migrate: migrateAccounts });
  const sql = openPool(asRole(database.ownerUrl, "accounts_app"), {
    max: 8,
    applicationName: "test-accounts",
  });
  let now = Date.UTC(2026, 10, 22, 12);
  const directory = await mkdtemp(path.join(tmpdir(), "accounts-"));
  const keySource = {
    ACCOUNTS_KEY: accountsKey.toString("hex"),
    ACCOUNTS_KEY_STORE: pathToFileURL(path.join(directory, "keys.json")).href,
  };
  const keys = await openAccountKeys(sql, readKeySettings(keySource), now);
  const context: AccountsContext = {
    sql,
    keys,
    clock: () => now,
    passwords: openPasswords(keys.pepper),
    weakPasswords: await loadWeakPasswords(),
    publicOrigin,
    registration: change.registration ?? "open",
  };
  const app = await buildAccountsApp({
    context,
    log: createLogger({ service: "accounts", level: "silent" }),
    internalToken,
    trustedProxies: ["10.0.0.1"],
    entriesPerMinute: change.entriesPerMinute ?? 100_000,
    callsPerMinute: 100_000,
  });
  let hosts = 0;
  // Each call from a network of its own, unless the test says otherwise.
  const nextAddress = (): string => `198.18.${(hosts >> 8) & 255}.${hosts++ & 255}`;
  const call = (name: string, { body, token, headers, ip = nextAddress() }: Call = {}) => {
    const [method, url = ""] = name.split(" ");
    const options = {
      method,
      url,
      remoteAddress: ip,
      headers: {
        "user-agent": firefox,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body && { payload: body }),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the method is that of a call's name
    return app.inject(options as InjectOptions);
  };
  const mails = async () => {
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail) };
    while ((await deliverMails({ sql, keys, mailer, publicOrigin }, now)) > 0);
    return sent.map((mail) => ({ ...mail, token: /#token=([\w-]+)/.exec(mail.text)?.[1] ?? "" }));
  };
  const join = async (email: string, password = goodPassword): Promise<string> => {
    const invitationId = crypto.randomUUID();
    const body = { invitationId, email, language: "en", occasion: "beta", discountPercent: 0 };
    await call("POST /internal/accounts/invitations", { body, token: internalToken });
    const invitation = (await mails()).find(({ to }) => to.address === email);
    const joined = await call("POST /api/account/join", {
      body: joinBody(invitation?.token ?? "", password),
    });
    return tokenOf(joined);
  };
  return {
    keySource,
    ownerUrl: database.ownerUrl,
    app,
    sql,
    context,
    advance: (ms) => void (now += ms),
    call,
    mails,
    join,
    drop: async () => {
      await app.close();
      await sql.end();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}

/** What the page of an invitation sends. */
export const joinBody = (token: string, password = goodPassword) => ({
  token,
  fullName: "Noa Levi",
  password,
  language: "en",
  timeZone: "Asia/Jerusalem",
  accepted: { terms: true, privacy: true },
});

/** The bearer token of an answer that signs in. @throws for any other answer */
export function tokenOf(answer: LightMyRequestResponse): string {
  const { token } = answer.json<{ token?: string }>();
  if (answer.statusCode !== 200 || token === undefined) {
    throw new Error(`Not signed in: ${answer.statusCode} ${answer.body}`);
  }
  return token;
}

/** Status and, of a refusal, its code. */
export const outcomeOf = (answer: LightMyRequestResponse): [number, string] => {
  const { code, status } = answer.json<{ code?: string; status?: string }>();
  return [answer.statusCode, code ?? status ?? ""];
};

/** The same pool, which also passes on the text of each statement that it runs. */
export function watchStatements(sql: Sql, note: (text: string) => void): Sql {
  type Given = [TemplateStringsArray | string];
  const apply = (run: Queryable, _self: unknown, given: Given): unknown => {
    // The name of a table is part of a statement, and none itself.
    if (typeof given[0] !== "string") note(given[0].join("?"));
    return Reflect.apply(run, undefined, given);
  };
  const begin = (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> => {
    note("begin");
    return sql.begin((tx) => work(new Proxy<Transaction>(tx, { apply })));
  };
  const get = (target: Sql, name: string): unknown =>
    name === "begin" ? begin : Reflect.get(target, name);
  return new Proxy<Sql>(sql, { apply, get });
}
