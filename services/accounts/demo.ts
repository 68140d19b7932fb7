import { randomUUID } from "node:crypto";

import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import {
  type DemoPart,
  type DemoPerson,
  demoClock,
  demoPortrait,
} from "@pro-talent/platform/runtime/demo";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import sharp from "sharp";

import { buildAccountsApp } from "./app.ts";
import type { AccountsContext } from "./context.ts";
import { readServiceEnv } from "./env.ts";
import { beginAuthenticator, confirmAuthenticator } from "./factors/authenticators.ts";
import { replaceRecoveryCodes } from "./factors/recovery-codes.ts";
import { totpCode, totpSecretText, totpStep } from "./factors/totp.ts";
import { readKeySettings } from "./key-settings.ts";
import { type AccountKeys, openAccountKeys } from "./keys.ts";
import { mailTokenOf, storeMailToken } from "./mail-tokens.ts";
import { readMigrationEnv } from "./migrate.ts";
import { changeRole, type StaffRole } from "./roles/roles.ts";
import { openSession } from "./sessions.ts";
import { loadWeakPasswords } from "./weak-passwords.ts";

type Source = Readonly<Record<string, string | undefined>>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const stepSeconds = 30;

const desktop =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";

type Invented = {
  readonly name: DemoPerson["name"];
  readonly fullName: string;
  readonly language: Locale;
  readonly role?: StaffRole;
};

/** All of them invented. */
const invented: readonly Invented[] = [
  { name: "premium", fullName: "Noa Levi", language: "en" },
  { name: "free", fullName: "יונתן אביב", language: "he" },
  { name: "officer", fullName: "Dana Cohen", language: "en", role: "officer" },
  { name: "analyst", fullName: "Omer Azulay", language: "en", role: "analyst" },
  { name: "administrator", fullName: "Tamar Katz", language: "en", role: "administrator" },
];

const emailOf = (name: string): string => `${name}@demo.example`;

/**
 * One account for each role, opened over the last six months: with profile, photo, sign-ins on two devices,
 * and an authenticator for staff. Of the past only the latest notice of a new device is mailed.
 */
export const accountsDemo: DemoPart = {
  make: async (source, { nowMs, password, people }) => {
    await removeAccounts(
      source,
      invented.map(({ name }) => ({ accountId: null, email: emailOf(name) })),
    );
    await withService(source, async (service) => {
      for (const person of invented) {
        people.push(await openDemoAccount(service, person, { nowMs, password }));
      }
      const owner = people.find(({ name }) => name === "premium");
      if (owner !== undefined) await liveAsOwner(service, owner, { nowMs, password });
    });
  },
  remove: async (source, people) => {
    await removeAccounts(source, people);
    return ["The record of granted roles stays."];
  },
};

/** What an authenticator shows of a secret in hexadecimal, and for how many more seconds. */
export function demoCode(secret: string, nowMs: number) {
  const bytes = Buffer.from(secret, "hex");
  const seconds = stepSeconds - (Math.floor(nowMs / 1000) % stepSeconds);
  return { code: totpCode(bytes, totpStep(nowMs)), seconds, setUpKey: totpSecretText(bytes) };
}

type Service = {
  readonly context: AccountsContext;
  readonly owner: Sql;
  /** Moves the clock of the calls. */
  readonly at: (ms: number) => void;
  /** Calls as a browser does. @throws for a refusal */
  readonly call: (
    name: string,
    request?: { body?: object; token?: string; device?: string },
  ) => Promise<unknown>;
};

/** The calls of the service, at times that are stated. */
async function withService(source: Source, work: (service: Service) => Promise<void>) {
  const clock = demoClock(source);
  const env = readServiceEnv(source);
  const { DATABASE_OWNER_URL: ownerUrl } = readMigrationEnv(source);
  const sql = openPool(env.DATABASE_URL, { max: 4, applicationName: "demo-accounts" });
  const owner = openPool(ownerUrl, { max: 1, applicationName: "demo-accounts" });
  const keys = await openAccountKeys(sql, readKeySettings(source), clock());
  let nowMs = 0;
  const context: AccountsContext = {
    sql,
    keys,
    clock: () => nowMs,
    passwords: openPasswords(keys.pepper),
    weakPasswords: await loadWeakPasswords(),
    publicOrigin: env.PUBLIC_ORIGIN,
    registration: "invitation",
  };
  const app = await buildAccountsApp({
    context,
    log: createLogger({ service: "demo", level: "silent" }),
    internalToken: env.INTERNAL_TOKEN,
    entriesPerMinute: 10_000,
    callsPerMinute: 10_000,
  });
  const call: Service["call"] = async (name, { body, token, device = desktop } = {}) => {
    const [method, url = ""] = name.split(" ");
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await app.inject({
      method: method === "PATCH" || method === "PUT" ? method : "POST",
      url,
      headers: { "user-agent": device, ...authorization },
      ...(body && { payload: body }),
    });
    if (answer.statusCode >= 300) throw new Error(`${name}: ${answer.body}`);
    return answer.json();
  };
  try {
    await work({ context, owner, call, at: (ms) => void (nowMs = ms) });
  } finally {
    await app.close();
    await Promise.all([sql.end(), owner.end()]);
  }
}

type Now = { readonly nowMs: number; readonly password: string };

/** Six months before: the same day of the month, or its last one. */
function openingOf(nowMs: number): number {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() - 6];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(now.getUTCDate(), lastDay), 8, 30);
}

/**
 * By an invitation, as before the launch; staff sets up an authenticator and is granted its role then. The worker may
 * delete an invitation or a session of six months ago at any moment, so none of these has to last.
 */
async function openDemoAccount(
  service: Service,
  { name, fullName, language, role }: Invented,
  { nowMs, password }: Now,
): Promise<DemoPerson> {
  const { context, call, at } = service;
  const { sql, keys } = context;
  const email = emailOf(name);
  const openedMs = openingOf(nowMs);
  at(openedMs);
  const invitationId = randomUUID();
  const token = mailTokenOf(keys, "invitation", invitationId);
  const to = { email, language, discountPercent: 0 };
  const link = { purpose: "invitation", accountId: null, invitationId, ...to } as const;
  await storeMailToken(sql, keys, token, { ...link, nowMs });
  const accepted = { terms: true, privacy: true };
  const timeZone = "Asia/Jerusalem";
  const body = { token, fullName, password, language, timeZone, accepted };
  await call("POST /api/account/join", { body });
  const accountId = await accountOf(sql, keys, email);
  await sql`delete from accounts.sign_in_session where account_id = ${accountId}`;
  if (name === "premium") {
    at(nowMs);
    const session = { accountId, factor: false, userAgent: undefined, nowMs };
    const { token: signedIn } = await openSession(sql, session);
    await describeOwner(service, signedIn);
    await call("POST /api/account/sign-out", { token: signedIn });
  }
  const person = { name, email, accountId, openedMs };
  if (role === undefined) return { ...person, totpSecret: null };
  const totpSecret = await setUpAuthenticator(context, accountId, openedMs + 10 * minuteMs);
  const granted = { accountId, role, granted: true, operator: "demo" };
  await changeRole(service.owner, { ...granted, nowMs: openedMs + dayMs });
  return { ...person, totpSecret };
}

async function accountOf(sql: Sql, keys: AccountKeys, email: string): Promise<string> {
  const [row] = await sql<{ account_id: string }[]>`
    select account_id from accounts.account where address_hash = ${keys.addressHash(email)}`;
  if (row === undefined) throw new Error("The account was not opened");
  return row.account_id;
}

async function describeOwner({ call }: Service, token: string): Promise<void> {
  const address = "12 Herzl Street, Tel Aviv";
  const profile = { phone: "+972 50 555 0100", address, handle: "noa-levi" };
  await call("PATCH /api/account/profile", { body: profile, token });
  const picture = (await sharp(Buffer.from(demoPortrait)).png().toBuffer()).toString("base64");
  await call("PUT /api/account/photo", { body: { picture }, token });
}

/** @returns its secret in hexadecimal */
async function setUpAuthenticator(
  { sql, keys }: AccountsContext,
  accountId: string,
  nowMs: number,
): Promise<string> {
  return sql.begin(async (tx) => {
    const secret = await beginAuthenticator(tx, { accountId, keys, nowMs });
    if (secret === undefined) throw new Error("The account has an authenticator");
    const code = totpCode(secret, totpStep(nowMs));
    await confirmAuthenticator(tx, { accountId, code, keys, nowMs });
    await replaceRecoveryCodes(tx, accountId);
    return secret.toString("hex");
  });
}

/** Signed in on a computer, and since three days on a phone. */
async function liveAsOwner(
  { call, at }: Service,
  { email }: DemoPerson,
  { nowMs, password }: Now,
): Promise<void> {
  const body = { email, password };
  at(nowMs - 12 * dayMs);
  await call("POST /api/account/sign-in", { body });
  at(nowMs - 3 * dayMs);
  await call("POST /api/account/sign-in", { body, device: phone });
}

/** As the database's owner: the product has no command that deletes an account yet. */
async function removeAccounts(
  source: Source,
  people: readonly { readonly accountId: string | null; readonly email: string }[],
): Promise<void> {
  await withService(source, async ({ context: { keys }, owner }) => {
    const ids = people.flatMap(({ accountId }) => accountId ?? []);
    const hashes = people.map(({ email }) => keys.addressHash(email).toString("hex"));
    await owner`
      delete from accounts.account
       where account_id = any (${ids}::uuid[])
          or address_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) hash)`;
    await owner`
      delete from accounts.mail_token
       where address_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) hash)`;
  });
}
