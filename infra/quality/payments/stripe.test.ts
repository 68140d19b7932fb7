import { openPayments } from "@pro-talent/ledger/domains/billing/payments/environment";
import { PaymentRefused, PaymentUncertain } from "@pro-talent/ledger/domains/billing/payments/port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startStripeBench, type StripeBench } from "./stripe-bench.ts";

const start = Date.parse("2026-11-22T12:00:00.000Z");
const usd = { amount: 2000, currency: "USD" };

describe("Stripe", () => {
  let bench: StripeBench;
  beforeAll(async () => {
    bench = await startStripeBench(start);
  });
  afterAll(() => bench.close());

  const open = (accountId: string, key = `checkout-${accountId}`) =>
    bench.provider.openCheckout({
      key,
      accountId,
      amount: usd,
      description: "Premium",
      language: "he",
      returnUrl: "https://pro-talent.example/checkout",
      cancelUrl: "https://pro-talent.example/plans",
    });

  it.each([500, 503, 429, 409])("that answers %s leaves the result open", async (status) => {
    bench.failNext(status);
    await expect(bench.provider.findPayment({ key: "any" })).rejects.toThrow(PaymentUncertain);
  });

  it.each([401, 403, 400])("that answers %s has refused the request", async (status) => {
    bench.failNext(status);
    await expect(bench.provider.findPayment({ key: "any" })).rejects.toThrow(PaymentRefused);
  });

  it("states an error without repeating what was sent", async () => {
    bench.failNext(400);
    const message = bench.provider.findPayment({ key: "secret-key" }).catch(String);
    expect(await message).not.toContain("secret-key");
  });

  it("keeps one customer for an account, also before its search knows them and after the key is forgotten", async () => {
    await open("account-once", "first");
    await open("account-once", "second");
    bench.advance(25 * 3_600_000);
    const { checkoutId } = await open("account-once", "third");
    await bench.press(checkoutId, "success");
    const charge = { accountId: "account-once", amount: usd, description: "Premium" };
    expect(await bench.provider.charge({ key: "renewal", ...charge })).toMatchObject({
      status: "succeeded",
    });
    await bench.provider.forget("account-once");
    await expect(bench.provider.charge({ key: "again", ...charge })).rejects.toThrow(
      PaymentRefused,
    );
  });

  it("leads a charge that the bank questions to the bank, with the way back", async () => {
    const { checkoutId } = await open("account-asked");
    await bench.press(checkoutId, "challenge-always");
    const { payment } = (await bench.provider.findCheckout(checkoutId)) ?? {};
    await bench.answerChallenge(payment?.actionUrl ?? "", true);
    const charge = {
      key: "asked",
      accountId: "account-asked",
      amount: usd,
      description: "Premium",
    };
    const waiting = await bench.provider.charge(charge);
    expect(waiting).toMatchObject({ status: "action-required", failure: null });
    expect(waiting.actionUrl).toMatch(/^https:\/\/hooks\.stripe\.example\//);
    expect(await bench.provider.charge(charge)).toEqual(waiting);
  });

  it("finds a payment that its search does not know yet", async () => {
    const { checkoutId } = await open("account-fresh");
    await bench.press(checkoutId, "success");
    expect(await bench.provider.findPayment({ key: "checkout-account-fresh" })).toMatchObject({
      status: "succeeded",
    });
    bench.advance(24 * 3_600_000);
    expect(await bench.provider.findPayment({ key: "checkout-account-fresh" })).toMatchObject({
      status: "succeeded",
    });
  });
});

describe("the configured provider", () => {
  const sandbox = {
    PAYMENTS: "sandbox",
    PAYMENTS_URL: "http://127.0.0.1:4000",
    PAYMENTS_KEY: "0123456789abcdef0123456789abcdef",
    PAYMENTS_WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
  };
  const stripe = {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_live_0123456789",
    STRIPE_WEBHOOK_SECRET: "whsec_0123456789",
  };
  const context = { clock: () => start, publicOrigin: "https://pro-talent.example" };

  const nameOf = async (source: Parameters<typeof openPayments>[0]) =>
    (await openPayments(source, context)).name;

  it("is the sandbox unless stated, Stripe by configuration", async () => {
    expect(await nameOf({ ...sandbox, PAYMENTS: undefined })).toBe("sandbox");
    expect(await nameOf(stripe)).toBe("stripe");
  });

  it("moves money in production", async () => {
    const production = { NODE_ENV: "production" };
    await expect(nameOf({ ...sandbox, ...production })).rejects.toThrow(/moves no money/);
    expect(await nameOf({ ...stripe, ...production })).toBe("stripe");
  });

  it("names what is missing", async () => {
    await expect(nameOf({ ...stripe, STRIPE_WEBHOOK_SECRET: "" })).rejects.toThrow(
      /STRIPE_WEBHOOK_SECRET/,
    );
  });
});
