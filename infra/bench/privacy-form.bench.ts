import { randomUUID } from "node:crypto";

import { buildLedgerApp } from "@pro-talent/ledger/app";
import { requestSubscription } from "@pro-talent/ledger/domains/newsletter/request-subscription";
import { codeOf, statusLink } from "@pro-talent/ledger/domains/privacy/form/proofs";
import { openKeyring } from "@pro-talent/ledger/kernel/keys/keyring";
import { openLedgerKeys } from "@pro-talent/ledger/kernel/keys/open-keys";
import { mailboxKeyLabel, openMailboxes } from "@pro-talent/ledger/kernel/mailboxes";
import { openSubjects } from "@pro-talent/ledger/kernel/subjects";
import { readModels } from "@pro-talent/ledger/modules";
import { testCause } from "@pro-talent/ledger/testing/create-test-ledger";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";

import { migrate, startDatabase } from "../faults/drill-services.ts";
import { latencies, rankTest } from "./figures.ts";

const pairs = 2_000;
const publicOrigin = "https://talent.example";
const log = createLogger({ service: "bench", level: "silent" });
const calls = ["form", "status", "wrong code", "new code"] as const;
type Call = (typeof calls)[number];
type Answer = { readonly ms: number; readonly said: string };

/**
 * Whether the time or the answer of a call of the public form shows that an address is known: a subscriber and
 * a stranger in turns, each pair new.
 */
export async function benchPrivacyForm(directory: string): Promise<void> {
  const { context: database, stop } = await startDatabase(directory);
  await migrate(database, "ledger");
  const sql = openPool(database.databaseUrl("ledger_app"), { max: 8, applicationName: "bench" });
  try {
    await measure(sql, database.keys);
  } finally {
    await sql.end();
    await stop();
  }
}

async function measure(sql: Sql, environment: Record<string, string>): Promise<void> {
  const keys = openLedgerKeys(environment);
  const keyring = openKeyring({ sql, keys, log });
  const { deriveKey } = keyring;
  const stores = {
    ledger: { sql, readModels },
    subjects: openSubjects(sql, keyring),
    mailboxes: openMailboxes(sql, keyring.deriveKeys(mailboxKeyLabel)),
  };
  const app = await buildLedgerApp({
    sql,
    log,
    clock: Date.now,
    keys,
    publicOrigin,
    accounts: { url: "http://127.0.0.1:9", internalToken: "bench".repeat(10) },
    formsPerMinute: 1_000_000,
    readsPerMinute: 1_000_000,
  });
  const known: Record<Call, number[]> = { form: [], status: [], "wrong code": [], "new code": [] };
  const unknown: Record<Call, number[]> = {
    form: [],
    status: [],
    "wrong code": [],
    "new code": [],
  };
  let differing = 0;
  for (let pair = -50; pair < pairs; pair += 1) {
    const subscriber = `${randomUUID()}@example.com`;
    const why = { now: instantFromMs(Date.now()), cause: testCause() };
    await requestSubscription(stores, subscription(subscriber), why);
    const emails = [subscriber, `${randomUUID()}@example.com`];
    const turns = pair % 2 === 0 ? emails : emails.toReversed();
    const said: string[] = [];
    for (const email of turns) {
      const answers = await lifeOf(app, { sql, deriveKey }, email);
      said.push(calls.map((call) => answers[call].said).join("\n"));
      const times = email === subscriber ? known : unknown;
      if (pair >= 0) for (const call of calls) times[call].push(answers[call].ms);
    }
    if (said[0] !== said[1]) differing += 1;
  }
  await app.close();
  console.log(
    `\nthe form of privacy requests, subscribers and strangers: ${pairs} pairs, in turns`,
  );
  for (const call of calls)
    console.log(
      `  ${call.padEnd(19)} known ${latencies(known[call])}, unknown ${latencies(unknown[call])}, rank test z ${rankTest(known[call], unknown[call]).toFixed(2)}`,
    );
  console.log(`  pairs whose answers differ in a byte beside numbers and times: ${differing}`);
}

const consentText = newsletterConsentTexts[0]?.text.en;
const subscription = (email: string) =>
  SubscribeRequest.parse({
    email,
    language: "en",
    sourceContext: "footer_form",
    consentText,
    preferences: { frequency: "weekly", topics: ["updates"] },
    tags: [],
  });

type Keys = { readonly sql: Sql; readonly deriveKey: (label: string) => Buffer };

/** A request before its code is entered: all that its sender can do without reading the mail. */
async function lifeOf(
  app: FastifyInstance,
  { sql, deriveKey }: Keys,
  email: string,
): Promise<Record<Call, Answer>> {
  const form = { email, type: "delete", relation: "mailbox", language: "en" };
  const asked = await timed(app, "", form);
  const [row] = await sql<{ id: string }[]>`
    select substr(stream, 9) as id from ledger.event where type = 'RequestReceived'
     order by pos desc limit 1`;
  const id = row?.id ?? "";
  const [, token = ""] = statusLink({ publicOrigin, deriveKey }, id).split("#");
  const wrong = codeOf({ deriveKey }, id, 1) === "00000000" ? "00000001" : "00000000";
  return {
    form: asked,
    status: await timed(app, "/status", { token }),
    "wrong code": await timed(app, "/verification", { token, code: wrong }),
    "new code": await timed(app, "/code", { token }),
  };
}

async function timed(app: FastifyInstance, path: string, payload: object): Promise<Answer> {
  const from = performance.now();
  const answer = await app.inject({ method: "POST", url: `/api/privacy/form${path}`, payload });
  const ms = performance.now() - from;
  const body = answer.body
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/gu, "id")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, "time");
  return { ms, said: `${answer.statusCode} ${body}` };
}
