import {
  forgetCustomer,
  type PaymentProvider,
  PaymentRefused,
  PaymentUncertain,
} from "@pro-talent/ledger/domains/billing/payments/port";
import { signWebhook } from "@pro-talent/platform/crypto/webhook-signature";
import { until } from "@pro-talent/platform/testing/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Customers, customersOf, usd } from "./customers.ts";
import type { ProviderBench } from "./provider-bench.ts";
import { startSandboxBench } from "./sandbox-bench.ts";
import { startStripeBench } from "./stripe-bench.ts";
import { stripeDescription } from "./stripe-description.ts";

const start = Date.parse("2026-11-22T12:00:00.000Z");
const hourMs = 3_600_000;

const providers: readonly [string, (startMs: number) => Promise<ProviderBench>][] = [
  ["the sandbox", startSandboxBench],
  [
    "Stripe",
    (startMs) => startStripeBench(startMs, stripeDescription(process.env["STRIPE_OPENAPI"])),
  ],
];

describe.each(providers)("%s", (_name, startBench) => {
  let bench: ProviderBench;
  let provider: PaymentProvider;
  let customers: Customers;
  beforeAll(async () => {
    bench = await startBench(start);
    ({ provider } = bench);
    customers = customersOf(bench);
  });
  afterAll(() => bench.close());

  it("opens a page that waits for a card, valid for a day", async () => {
    const checkout = await customers.open(customers.freshAccount(), usd(2000));
    expect(checkout).toMatchObject({ status: "open", payment: null, card: null });
    expect(Date.parse(checkout.expiresAt)).toBe(bench.now() + 24 * hourMs);
    expect(await provider.findCheckout("checkout_none")).toBeUndefined();
  });

  it("takes a payment on the page and keeps the card", async () => {
    const { accountId, checkoutId, payment } = await customers.paid();
    expect(payment).toMatchObject({
      status: "succeeded",
      amount: usd(2000),
      refunded: 0,
      failure: null,
    });
    const { status, card } = await customers.found(checkoutId);
    expect(status).toBe("completed");
    expect(card).toMatchObject({ brand: "visa", last4: "4242" });
    expect(await provider.findPayment({ key: `checkout-${accountId}` })).toEqual(payment);
    expect(await provider.findPayment({ paymentId: payment.paymentId })).toEqual(payment);
  });

  it("stores a card without a payment, which is charged later", async () => {
    const accountId = customers.freshAccount();
    const { checkoutId } = await customers.open(accountId, null);
    await bench.press(checkoutId, "success");
    expect(await customers.found(checkoutId)).toMatchObject({ status: "completed", payment: null });
    expect(await customers.charge(accountId, `first-${accountId}`)).toMatchObject({
      status: "succeeded",
    });
  });

  it("names the card that is charged: the one that was stored last", async () => {
    const { accountId } = await customers.paid();
    expect(await provider.findCard(accountId)).toMatchObject({ last4: "4242" });
    const { checkoutId } = await customers.open(accountId, null, `card-${accountId}`);
    await bench.press(checkoutId, "declines-later");
    const card = await provider.findCard(accountId);
    expect(card?.last4).not.toBe("4242");
    expect((await customers.charge(accountId, `second-${accountId}`)).card).toEqual(card);
    expect(await provider.findCard(customers.freshAccount())).toBeUndefined();
  });

  it.each([
    ["declined", { reason: "declined", hard: false }],
    ["insufficient-funds", { reason: "insufficient-funds", hard: false }],
    ["stolen", { reason: "declined", hard: true }],
    ["expired", { reason: "expired-card", hard: true }],
  ] as const)("refuses the card %s; another card may follow", async (card, failure) => {
    const { checkoutId, payment } = await customers.paid(card);
    expect(payment).toMatchObject({ status: "failed", failure });
    expect((await customers.found(checkoutId)).status).toBe("open");
    await bench.press(checkoutId, "success");
    const { status, payment: second } = await customers.found(checkoutId);
    expect(status).toBe("completed");
    expect(second).toMatchObject({
      paymentId: payment.paymentId,
      status: "succeeded",
      failure: null,
    });
  });

  it("asks the bank: allowed, refused, or left without an answer", async () => {
    const allowed = await customers.paid("challenge");
    expect(allowed.payment.status).toBe("action-required");
    await bench.answerChallenge(allowed.payment.actionUrl ?? "", true);
    expect(await customers.found(allowed.checkoutId)).toMatchObject({
      status: "completed",
      payment: { status: "succeeded", actionUrl: null },
    });
    const refused = await customers.paid("challenge");
    await bench.answerChallenge(refused.payment.actionUrl ?? "", false);
    expect(await customers.found(refused.checkoutId)).toMatchObject({
      status: "open",
      payment: { status: "failed", failure: { reason: "challenge-failed", hard: false } },
    });
    const left = await customers.paid("challenge");
    bench.advance(25 * hourMs);
    expect((await customers.found(left.checkoutId)).status).toBe("expired");
  });

  it("charges the stored card without the holder, once for a key", async () => {
    const { accountId } = await customers.paid();
    const key = `renewal-${accountId}`;
    const first = await customers.charge(accountId, key);
    expect(first).toMatchObject({ status: "succeeded", amount: usd(2000) });
    expect(await customers.charge(accountId, key)).toEqual(first);
    bench.advance(30 * hourMs);
    expect(await customers.charge(accountId, key)).toEqual(first);
    const [third, fourth] = await Promise.all([
      customers.charge(accountId, `${key}-2`),
      customers.charge(accountId, `${key}-2`),
    ]);
    expect(third.paymentId).toBe(fourth.paymentId);
  });

  it("refuses another amount under a key", async () => {
    const { accountId, payment } = await customers.paid();
    await customers.charge(accountId, `renewal-${accountId}`);
    await expect(customers.charge(accountId, `renewal-${accountId}`, usd(1))).rejects.toThrow(
      PaymentRefused,
    );
    await expect(customers.open(accountId, usd(1), `checkout-${accountId}`)).rejects.toThrow(
      PaymentRefused,
    );
    const { paymentId } = payment;
    await provider.refund({ key: `refund-${accountId}`, paymentId, amount: usd(10) });
    const other = { key: `refund-${accountId}`, paymentId, amount: usd(11) };
    await expect(provider.refund(other)).rejects.toThrow(PaymentRefused);
  });

  it("reports a charge that is declined, and one that the holder has to confirm", async () => {
    const declined = await customers.paid("declines-later");
    expect(
      await customers.charge(declined.accountId, `renewal-${declined.accountId}`),
    ).toMatchObject({
      status: "failed",
      failure: { reason: "declined", hard: false },
    });
    const asked = await customers.paid("challenge-always");
    await bench.answerChallenge(asked.payment.actionUrl ?? "", true);
    const waiting = await customers.charge(asked.accountId, `renewal-${asked.accountId}`);
    expect(waiting.status).toBe("action-required");
    await bench.answerChallenge(waiting.actionUrl ?? "", true);
    const { paymentId } = waiting;
    expect(await provider.findPayment({ paymentId })).toMatchObject({ status: "succeeded" });
  });

  it("whose answer is lost is uncertain; the payment is found under its key, once", async () => {
    const { accountId } = await customers.paid();
    await bench.loseNextAnswer();
    const key = `lost-${accountId}`;
    await expect(customers.charge(accountId, key)).rejects.toThrow(PaymentUncertain);
    const payment = await provider.findPayment({ key });
    expect(payment).toMatchObject({ status: "succeeded", amount: usd(2000) });
    expect(await customers.charge(accountId, key)).toEqual(payment);
  });

  it("refunds in parts, never more than was paid", async () => {
    const { accountId, payment } = await customers.paid();
    const { paymentId } = payment;
    const refund = (key: string, amount: number) =>
      provider.refund({ key: `${key}-${accountId}`, paymentId, amount: usd(amount) });
    const first = await refund("a", 1500);
    expect(first).toMatchObject({ status: "succeeded", amount: usd(1500), paymentId });
    expect(await refund("a", 1500)).toEqual(first);
    await expect(refund("b", 501)).rejects.toThrow(PaymentRefused);
    await refund("c", 500);
    expect(await provider.findPayment({ paymentId })).toMatchObject({ refunded: 2000 });
    expect(await provider.findRefund(`a-${accountId}`)).toEqual(first);
    expect(await provider.findRefund(`none-${accountId}`)).toBeUndefined();
  });

  it("whose refund fails later no longer counts it", async () => {
    const { accountId, payment } = await customers.paid("refund-fails");
    const { paymentId } = payment;
    const key = `refund-${accountId}`;
    await provider.refund({ key, paymentId, amount: usd(2000) });
    bench.advance(2 * hourMs);
    await until(
      "the refund has failed",
      async () => (await provider.findRefund(key))?.status === "failed",
    );
    expect(await provider.findPayment({ paymentId })).toMatchObject({ refunded: 0 });
  });

  it.each([
    ["inquiry", true],
    ["open", false],
    ["won", true],
    ["lost", false],
  ] as const)("reports a dispute that is %s (refundable: %s)", async (status, refundable) => {
    const { accountId, payment } = await customers.paid();
    const { paymentId } = payment;
    await bench.dispute(paymentId, status);
    const { dispute } = (await provider.findPayment({ paymentId })) ?? {};
    expect(dispute).toMatchObject({ status, refundable });
    const refund = provider.refund({ key: `refund-${accountId}`, paymentId, amount: usd(1) });
    const result = await refund.then(
      () => "refunded",
      (error: unknown) => (error instanceof PaymentRefused ? "refused" : error),
    );
    expect(result).toBe(refundable ? "refunded" : "refused");
  });

  it.each([
    ["JPY", 500],
    ["KWD", 1230],
    ["ILS", 3990],
  ])("keeps minor units of %s as they are", async (currency, amount) => {
    const { payment } = await customers.paid("success", { amount, currency });
    expect(payment).toMatchObject({ status: "succeeded", amount: { amount, currency } });
  });

  it("forgets the card of an account: nothing can be charged, again is no error", async () => {
    const { accountId, payment } = await customers.paid();
    expect(await provider.findCard(accountId)).toBeDefined();
    await forgetCustomer(provider, accountId);
    await forgetCustomer(provider, accountId);
    expect(await provider.findCard(accountId)).toBeUndefined();
    // What was paid stays with the provider, without the customer.
    const kept = await provider.findPayment({ paymentId: payment.paymentId });
    expect(kept).toMatchObject({ status: "succeeded", amount: payment.amount });
    expect(JSON.stringify(kept)).not.toContain(accountId);
    await expect(customers.charge(accountId, `renewal-${accountId}`)).rejects.toThrow(
      PaymentRefused,
    );
  });

  const hintsAbout = (id: string) =>
    bench.arrived().filter(({ body }) => body.toString("utf8").includes(id));

  it("announces what happened; a copy has the same id, order means nothing", async () => {
    await bench.holdHints();
    const { checkoutId, payment } = await customers.paid();
    await bench.releaseHintsReversedTwice();
    const read = await Promise.all(
      bench
        .arrived()
        .map(async ({ headers, body }) => await provider.readHint(headers, body, bench.now())),
    );
    const abouts = read.map((hint) => (typeof hint === "string" ? hint : hint.about));
    expect(abouts).toContainEqual({ kind: "checkout", checkoutId });
    expect(abouts).toContainEqual({ kind: "payment", paymentId: payment.paymentId });
    const ids = read.flatMap((hint) =>
      typeof hint !== "string" && "checkoutId" in hint.about && hint.about.checkoutId === checkoutId
        ? [hint.eventId]
        : [],
    );
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("refuses hints that are forged, too old, from the future, of live money or not JSON", async () => {
    const { checkoutId } = await customers.paid();
    const hint = await until("a webhook", () => hintsAbout(checkoutId)[0]);
    const signed = (body: string | Buffer, atMs: number, secret = bench.webhookSecret) => ({
      [bench.signatureHeader]: signWebhook(secret, body, Math.floor(atMs / 1000)),
    });
    const nowMs = bench.now();
    const at = (ageMs: number) =>
      provider.readHint(signed(hint.body, nowMs - ageMs), hint.body, nowMs);
    expect(at(299_000)).toMatchObject({ about: { kind: "checkout", checkoutId } });
    expect(at(301_000)).toBe("too-old");
    expect(at(-30_000)).toMatchObject({ about: { kind: "checkout" } });
    expect(at(-hourMs)).toBe("from-the-future");
    const changed = Buffer.from(hint.body.toString("utf8").replace(checkoutId, `${checkoutId}x`));
    expect(provider.readHint(signed(hint.body, nowMs), changed, nowMs)).toBe("signature");
    expect(provider.readHint(signed(hint.body, nowMs, "another-secret"), hint.body, nowMs)).toBe(
      "signature",
    );
    expect(provider.readHint({}, hint.body, nowMs)).toBe("signature");
    const noJson = Buffer.from("{");
    expect(provider.readHint(signed(noJson, nowMs), noJson, nowMs)).toBe("malformed");
    const live = Buffer.from(
      hint.body
        .toString("utf8")
        .replace('"environment":"sandbox"', '"environment":"live"')
        .replaceAll('"livemode":false', '"livemode":true'),
    );
    expect(provider.readHint(signed(live, nowMs), live, nowMs)).toBe("environment");
  });
});
