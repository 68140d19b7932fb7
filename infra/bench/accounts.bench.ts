import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { insertAccount } from "@pro-talent/accounts/accounts";
import { buildAccountsApp } from "@pro-talent/accounts/app";
import type { AccountsContext } from "@pro-talent/accounts/context";
import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { migrateAccounts } from "@pro-talent/accounts/migrate";
import { openSession } from "@pro-talent/accounts/sessions";
import { loadWeakPasswords } from "@pro-talent/accounts/weak-passwords";
import { openPasswords } from "@pro-talent/platform/crypto/passwords";
import { addCalls } from "@pro-talent/platform/http/add-calls";
import { buildServer } from "@pro-talent/platform/http/build-server";
import { readSignInSessions } from "@pro-talent/platform/http/sign-in-sessions";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { systemClock } from "@pro-talent/platform/runtime/clock";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { signedIn } from "@pro-talent/schemas/primitives/access";
import { defineCalls } from "@pro-talent/schemas/primitives/calls";
import { z } from "zod";

import { startDatabase } from "../faults/drill-services.ts";
import { OWNER_ROLE } from "../postgres/roles.ts";
import { type BenchOptions, latencies, median, rankTest } from "./figures.ts";
import { benchPrivacyForm } from "./privacy-form.bench.ts";

const calls = 2000;
const pairs = 200;
const password = "violet-harbour-93";
const publicOrigin = "https://talent.example";
const log = createLogger({ service: "bench", level: "silent" });

/**
 * What authentication adds to a call (goal: at most 1 ms in the middle), and whether the time of an answer
 * shows that an address has an account.
 */
export async function benchAccounts({ directory }: BenchOptions): Promise<void> {
  const { context: database, stop } = await startDatabase(directory);
  const ownerUrl = database.databaseUrl(OWNER_ROLE);
  await migrateAccounts(ownerUrl);
  const sql = openPool(database.databaseUrl("accounts_app"), { applicationName: "bench" });
  const settings = readKeySettings({
    ACCOUNTS_KEY: Buffer.alloc(32, "bench").toString("hex"),
    ACCOUNTS_KEY_STORE: pathToFileURL(join(directory, "accounts-keys.json")).href,
  });
  const keys = await openAccountKeys(sql, settings, systemClock());
  const context: AccountsContext = {
    sql,
    keys,
    clock: systemClock,
    passwords: openPasswords(keys.pepper),
    weakPasswords: await loadWeakPasswords(),
    publicOrigin,
    registration: "open",
  };
  try {
    await benchAuthentication(context);
    await benchEnumeration(context);
  } finally {
    await sql.end();
    await stop();
  }
  await benchPrivacyForm(join(directory, "ledger"));
}

const two = defineCalls({
  "GET /public": { summary: "Public", access: "public", answer: z.object({ ok: z.boolean() }) },
  "GET /signed-in": {
    summary: "Signed in",
    access: signedIn,
    answer: z.object({ ok: z.boolean() }),
  },
});

/** The same call with and without an account, over HTTP on loopback, in turns. */
async function benchAuthentication(context: AccountsContext): Promise<void> {
  const { sql, clock } = context;
  const accountId = await addAccount(context, "bench@example.com");
  const session = { accountId, factor: false, userAgent: undefined, nowMs: clock() };
  const { token } = await openSession(sql, session);
  const sessions = readSignInSessions(sql, clock);
  const app = buildServer({ log, publicOrigin, sessions });
  const handle = async () => ({ ok: true });
  addCalls(app, two, { "GET /public": handle, "GET /signed-in": handle });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const headers = { authorization: `Bearer ${token}` };
  const times: Record<"public" | "signed-in", number[]> = { public: [], "signed-in": [] };
  for (let call = -200; call < calls; call += 1) {
    for (const path of ["public", "signed-in"] as const) {
      const from = performance.now();
      const answer = await fetch(`${url}/${path}`, { headers });
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
      if (call >= 0) times[path].push(performance.now() - from);
    }
  }
  await app.close();
  const added = median(times["signed-in"]) - median(times.public);
  console.log(`\nauthentication: ${calls} calls each, in turns
  public     ${latencies(times.public)}
  signed in  ${latencies(times["signed-in"])}
  it adds ${added.toFixed(2)} ms in the middle`);
}

/** Known and unknown addresses in turns, each pair new: the limits of attempts are never reached. */
async function benchEnumeration(context: AccountsContext): Promise<void> {
  const limits = { entriesPerMinute: 1_000_000, callsPerMinute: 1_000_000 };
  const internalToken = "bench".repeat(10);
  const app = await buildAccountsApp({ context, log, internalToken, ...limits });
  const bodies = {
    "sign-in": (email: string) => ({ email, password: "wrong-password-1" }),
    registration: (email: string) => ({ email, language: "en" }),
    "password/forgotten": (email: string) => ({ email, language: "en" }),
  };
  let hosts = 0;
  const ask = async (call: keyof typeof bodies, email: string): Promise<number> => {
    hosts += 1;
    const remoteAddress = `198.18.${(hosts >> 8) & 255}.${hosts & 255}`;
    const url = `/api/account/${call}`;
    const from = performance.now();
    await app.inject({ method: "POST", url, payload: bodies[call](email), remoteAddress });
    return performance.now() - from;
  };
  console.log(`\nknown and unknown addresses: ${pairs} pairs each, in turns`);
  for (const call of ["sign-in", "registration", "password/forgotten"] as const) {
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let pair = -20; pair < pairs; pair += 1) {
      const email = `${randomUUID()}@example.com`;
      await addAccount(context, email);
      const order = pair % 2 === 0 ? [known, unknown] : [unknown, known];
      for (const times of order) {
        const time = await ask(call, times === known ? email : `${randomUUID()}@example.com`);
        if (pair >= 0) times.push(time);
      }
    }
    console.log(
      `  ${call.padEnd(19)} known ${latencies(known)}, unknown ${latencies(unknown)}, rank test z ${rankTest(known, unknown).toFixed(2)}`,
    );
  }
  await app.close();
}

let passwordHash: Promise<string> | undefined;

async function addAccount(context: AccountsContext, email: string): Promise<string> {
  passwordHash ??= context.passwords.hash(password);
  const accountId = randomUUID();
  const profile = { fullName: "Noa Levi", language: "en", timeZone: "UTC" } as const;
  const nowMs = context.clock();
  const account = { accountId, email, profile, passwordHash: await passwordHash, nowMs };
  await context.sql.begin((tx) => insertAccount(tx, context.keys, account));
  return accountId;
}
