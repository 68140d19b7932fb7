import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { readKeySettings } from "@pro-talent/accounts/key-settings";
import { openAccountKeys } from "@pro-talent/accounts/keys";
import { mailTokenOf, storeMailToken } from "@pro-talent/accounts/mail-tokens";
import { modules } from "@pro-talent/ledger/modules";
import { definitionsOf } from "@pro-talent/ledger/verifier/definitions";
import { verifyLedger } from "@pro-talent/ledger/verifier/verify";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { type Clock, readClock } from "@pro-talent/platform/runtime/clock";
import { until } from "@pro-talent/platform/testing/until";
import { subscriptionCalls } from "@pro-talent/schemas/billing/calls";
import { invoiceCalls } from "@pro-talent/schemas/invoices/calls";
import { sandboxCalls } from "@pro-talent/schemas/payments-sandbox/calls";
import { afterAll, beforeAll, expect, it } from "vitest";

import { openProduct } from "../quality/testing/open-product.ts";
import { ProductHolder } from "../quality/testing/product-holder.ts";
import { mailAddress } from "./mail/require-mail-token.ts";
import { type Mailbox, mailbox } from "./mail/testing/mailbox.ts";
import { moveClock, type Step } from "./test-clock.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const dayMs = 24 * 60 * 60_000;
const emails = { dana: "dana@example.com", noa: "noa@example.com", rina: "rina@example.com" };
const essential = { plan: "essential", cycle: "monthly" } as const;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let product: Awaited<ReturnType<typeof openProduct>>;
let owner: Sql;
let file: string;
let clock: Clock;
let mails: Mailbox;
let mailToken: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  file = join(directory.path, "test-clock.json");
  product = await openProduct({ BILLING: "open", TEST_CLOCK_FILE: file, TIMERS_SWEEP_MS: "200" });
  await product.listen();
  clock = readClock({ TEST_CLOCK_FILE: file });
  owner = openPool(product.ownerUrl, { max: 2, applicationName: "test" });
  mails = mailbox(mailAddress(appOf("mail").listeningOrigin, product.secrets.mailToken));
  const nowMs = Date.now();
  const keys = await openAccountKeys(owner, readKeySettings(product.accountsKeys), nowMs);
  mailToken = mailTokenOf(keys, "invitation", randomUUID());
  const link = { purpose: "invitation", accountId: null, invitationId: randomUUID() } as const;
  await storeMailToken(owner, keys, mailToken, {
    ...link,
    discountPercent: 0,
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

function appOf(service: string) {
  const app = product.services.get(service)?.app;
  if (app === undefined) throw new Error(`${service} is not open`);
  return app;
}

const joined = async (email: string) => await new ProductHolder(product, owner, clock).join(email);
const peek = () =>
  appOf("accounts").inject({
    method: "POST",
    url: "/api/account/invitation",
    payload: { token: mailToken },
  });

async function move(byMs: number): Promise<Step[]> {
  const steps: Step[] = [];
  await moveClock({ owner, file, byMs, report: (step) => steps.push(step) });
  return steps;
}

/** What the sandbox holds of a payment. */
async function atSandbox(key: string) {
  const answer = await appOf("payments-sandbox").inject({
    method: "GET",
    url: `/sandbox-payments/v1/payments?key=${key}`,
    headers: { authorization: `Bearer ${product.secrets.sandboxKey}` },
  });
  return sandboxCalls["GET /sandbox-payments/v1/payments"].answer.parse(answer.json()).payment;
}

async function verified(): Promise<void> {
  const { findings } = await verifyLedger(owner, { definitions: definitionsOf(modules), clock });
  expect(findings).toEqual([]);
}

it("a plan is bought, upgraded, scheduled to change, kept, and withdrawn from with all money back", async () => {
  const rina = await joined(emails.rina);
  await rina.buy(essential);
  const order = await mails.mailTo(emails.rina, { subject: /subscription has begun/ });
  expect(order.text).toContain("Essential, monthly");

  const change = "/api/subscription/change";
  expect(await rina.act(change, "upgrade", "premium")).toEqual({ status: "applied" });
  expect((await rina.subscription()).plan).toBe("premium");
  await rina.act(change, "downgrade", "essential");
  expect((await rina.subscription()).scheduled).toMatchObject({ plan: "essential" });
  await rina.act("/api/subscription/drop-downgrade", "drop-downgrade");
  expect((await rina.subscription()).scheduled).toBeNull();

  await rina.act("/api/subscription/cancel", "withdraw");
  await rina.becomes("none");
  const listed = subscriptionCalls["GET /api/payments"].answer;
  const { payments, refunds } = listed.parse((await rina.get("/api/payments")).json());
  expect(refunds.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  // The upgrade cost the difference: two payments, of 10 dollars each.
  const held = await Promise.all(payments.map(({ chargeId }) => atSandbox(chargeId)));
  expect(held).toMatchObject([
    { amount: { amount: 1000 }, refunded: 1000 },
    { amount: { amount: 1000 }, refunded: 1000 },
  ]);
  const documents = await until("every payment has its credit note", async () => {
    const answer = invoiceCalls["GET /api/invoices"].answer.parse(
      (await rina.get("/api/invoices")).json(),
    );
    return answer.documents.length === 4 ? answer.documents : undefined;
  });
  expect(documents.map(({ kind }) => kind).toSorted()).toEqual([
    "credit-note",
    "credit-note",
    "invoice",
    "invoice",
  ]);
  for (const subject of [
    /plan was changed/,
    /plan will change/,
    /Withdrawal confirmed/,
    /refund is on its way/,
    /credit note/,
  ]) {
    await mails.mailTo(emails.rina, { subject });
  }
});

it("moves renewals, mails, sessions and mailed links of every service, in their order", async () => {
  const [dana, noa] = [await joined(emails.dana), await joined(emails.noa)];
  await dana.buy(essential);
  await noa.buy(essential, "declines-later");
  expect((await peek()).statusCode).toBe(200);
  const steps = await move(32 * dayMs);
  const dayOf = (type: string): number => steps.findIndex(({ events }) => (events[type] ?? 0) > 0);
  // The reminder was delivered on a day before that of the charge, which was made once.
  expect(dayOf("NoticeDelivered")).toBeGreaterThanOrEqual(0);
  expect(dayOf("PlanRenewed")).toBeGreaterThan(dayOf("NoticeDelivered"));
  const charged = steps.map(({ events }) => events["ChargeSucceeded"] ?? 0);
  expect(charged.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect((await dana.get("/api/subscription")).statusCode).toBe(401);
  expect([(await peek()).statusCode]).toEqual([410]);
  await verified();

  // The other holder's card was declined: access lasts while another card can pay.
  await noa.signIn();
  expect(await noa.subscription()).toMatchObject({
    plan: "essential",
    status: "overdue",
    attention: { kind: "payment-failed" },
  });
  const failed = await mails.mailTo(emails.noa, { subject: /payment failed/ });
  expect(failed.text).toContain("Access until");
  await noa.storeCard("success");
  await noa.becomes("active");
  await mails.mailTo(emails.noa, { subject: /was renewed/ });
  await verified();
});

it("moves forward only", async () => {
  await expect(move(-dayMs)).rejects.toThrow("forward only");
  await expect(move(0)).rejects.toThrow("forward only");
});
