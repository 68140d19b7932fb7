import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { insertAccount } from "@pro-talent/accounts/accounts";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { mailTokenOf, storeMailToken } from "@pro-talent/accounts/mail-tokens";
import { openSession } from "@pro-talent/accounts/sessions";
import { modules } from "@pro-talent/ledger/modules";
import { definitionsOf } from "@pro-talent/ledger/verifier/definitions";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { readClock } from "@pro-talent/platform/runtime/clock";
import { until } from "@pro-talent/platform/testing/until";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openProduct } from "../quality/testing/open-product.ts";
import { moveClock, type Step } from "./test-clock.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const dayMs = 24 * 60 * 60_000;
const accountId = randomUUID();
const email = "dana@example.com";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let product: Awaited<ReturnType<typeof openProduct>>;
let owner: Sql;
let file: string;
let token: string;
let mailToken: string;

/** An account with a sign-in session and a mailed link. */
beforeAll(async () => {
  directory = await temporaryDirectory();
  file = join(directory.path, "test-clock.json");
  product = await openProduct({ BILLING: "open", TEST_CLOCK_FILE: file, TIMERS_SWEEP_MS: "200" });
  await product.listen();
  owner = openPool(product.ownerUrl, { max: 2, applicationName: "test" });
  const keys = openAccountKeys(Buffer.from(product.secrets.accountsKey, "hex"));
  const nowMs = Date.now();
  const profile = { fullName: "Dana Levi", language: "en", timeZone: "UTC" } as const;
  await insertAccount(owner, keys, { accountId, email, profile, passwordHash: "", nowMs });
  const session = { accountId, factor: false, userAgent: undefined, nowMs };
  ({ token } = await openSession(owner, session));
  mailToken = mailTokenOf(keys, "invitation", randomUUID());
  const link = { purpose: "invitation", accountId: null, invitationId: randomUUID() } as const;
  await storeMailToken(owner, keys, mailToken, {
    ...link,
    email: "new@example.com",
    language: "en",
    nowMs,
  });
});
afterAll(async () => {
  await owner.end();
  await product.close();
  await directory.remove();
});

async function call(service: string, options: InjectOptions) {
  const app = product.services.get(service)?.app;
  if (app === undefined) throw new Error(`${service} is not open`);
  return await app.inject(options);
}

const headers = () => ({ authorization: `Bearer ${token}`, "idempotency-key": randomUUID() });
const post = (url: string, payload: object) =>
  call("ledger", { method: "POST", url, headers: headers(), payload });
const subscription = () =>
  call("ledger", { method: "GET", url: "/api/subscription", headers: headers() });
const peek = () =>
  call("accounts", {
    method: "POST",
    url: "/api/account/invitation",
    payload: { token: mailToken },
  });

/** Pays a monthly plan on the page of the sandbox. */
async function subscribe(): Promise<void> {
  const choice = { plan: "essential", cycle: "monthly" };
  const { hash } = (await post("/api/checkout/quote", choice)).json<{ hash: string }>();
  const consents = checkoutDocuments.map((document) => ({
    document,
    version: checkoutTextsVersion,
    language: "en",
  }));
  const order = { ...choice, hash, consents, language: "en" };
  const { url } = (await post("/api/checkout", order)).json<{ url: string }>();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const page = { url: new URL(url).pathname, headers: form, payload: "card=success" };
  await call("payments-sandbox", { method: "POST", ...page });
  await until(
    "the plan is active",
    async () => (await subscription()).json<{ status: string }>().status === "active",
  );
}

async function move(byMs: number): Promise<Step[]> {
  const steps: Step[] = [];
  await moveClock({ owner, file, byMs, report: (step) => steps.push(step) });
  return steps;
}

it("moves renewals, mails, sessions and mailed links of every service, in their order", async () => {
  await subscribe();
  expect((await peek()).statusCode).toBe(200);
  const steps = await move(32 * dayMs);
  const dayOf = (type: string): number => steps.findIndex(({ events }) => (events[type] ?? 0) > 0);
  // The reminder was delivered on a day before that of the charge, which was made once.
  expect(dayOf("NoticeDelivered")).toBeGreaterThanOrEqual(0);
  expect(dayOf("PlanRenewed")).toBeGreaterThan(dayOf("NoticeDelivered"));
  const charged = steps.map(({ events }) => events["ChargeSucceeded"] ?? 0);
  expect(charged.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect((await subscription()).statusCode).toBe(401);
  expect([(await peek()).statusCode]).toEqual([410]);
  const clock = readClock({ TEST_CLOCK_FILE: file });
  const { findings } = await verifyLedger(owner, { definitions: definitionsOf(modules), clock });
  expect(findings).toEqual([]);
});

it("moves forward only", async () => {
  await expect(move(-dayMs)).rejects.toThrow("forward only");
  await expect(move(0)).rejects.toThrow("forward only");
});
