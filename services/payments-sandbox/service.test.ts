import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { RunningService } from "@pro-talent/platform/runtime/run-service";
import { SandboxCheckout, SandboxPayment } from "@pro-talent/schemas/payments-sandbox/objects";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { texts } from "./pages/texts.ts";
import { openPaymentsSandbox, openSandbox } from "./service.ts";

const log = createLogger({ service: "test", level: "silent" });
const secret = "sandbox-key-of-tests-0123456789abcdef";
const authorization = `Bearer ${secret}`;
const origin = "https://pro-talent.example";
const formType = "application/x-www-form-urlencoded";

let directory: string;
let variables: Record<string, string>;
let service: RunningService;
let nowMs: number;
const open = async (): Promise<void> => {
  service = await openSandbox(variables, log, () => nowMs);
};
beforeEach(async () => {
  nowMs = Date.parse("2026-11-22T12:00:00.000Z");
  directory = await mkdtemp(join(tmpdir(), "payments-sandbox-"));
  variables = {
    SANDBOX_FILE: join(directory, "state", "sandbox.jsonl"),
    SANDBOX_KEY: secret,
    SANDBOX_WEBHOOK_SECRET: secret,
    PUBLIC_ORIGIN: origin,
  };
  await open();
});
afterEach(async () => {
  await service.close();
  await rm(directory, { recursive: true });
});

const post = (path: string, key: string, payload: object) =>
  service.app.inject({
    method: "POST",
    url: `/sandbox-payments/v1/${path}`,
    headers: { authorization, "idempotency-key": key },
    payload,
  });
const page = (path: string) => service.app.inject(path);
const press = (path: string, payload: string, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: "POST",
    url: path,
    headers: { "content-type": formType, origin, ...headers },
    payload,
  });
const openCheckout = async (language: "en" | "he" = "en") => {
  const answer = await post("checkouts", "checkout-1", {
    accountId: "account-1",
    amount: { amount: 2000, currency: "USD" },
    description: "Premium <b>",
    language,
    returnUrl: `${origin}/checkout?step=done`,
    cancelUrl: `${origin}/checkout`,
  });
  return SandboxCheckout.parse(answer.json());
};
const charge = (key: string, amount = 2000) =>
  post("payments", key, {
    accountId: "account-1",
    amount: { amount, currency: "USD" },
    description: "Premium",
  });

describe("the payments sandbox", () => {
  it("does not start in production", async () => {
    const production = { ...variables, NODE_ENV: "production" };
    await expect(openPaymentsSandbox(production, log)).rejects.toThrow("production");
  });

  it("answers nothing without its key", async () => {
    const url = "/sandbox-payments/v1/payments?key=a";
    for (const headers of [{}, { authorization: "Bearer wrong" }]) {
      expect((await service.app.inject({ url, headers })).statusCode).toBe(401);
    }
  });

  it("repeats the first answer under a key for a day, refuses another body, then forgets it", async () => {
    const { checkoutId } = await openCheckout();
    await press(`/sandbox-payments/checkout/${checkoutId}`, "card=success");
    const first = await charge("key-1");
    expect((await charge("key-1")).body).toBe(first.body);
    expect((await charge("key-1", 1)).json()).toMatchObject({ code: "sandbox_key_reused" });
    nowMs += 24 * 3_600_000;
    const again = SandboxPayment.parse((await charge("key-1")).json());
    expect(again.paymentId).not.toBe(SandboxPayment.parse(first.json()).paymentId);
  });

  it("repeats a refusal too, although the cause is gone", async () => {
    expect((await charge("key-1")).json()).toMatchObject({ code: "sandbox_no_card" });
    const { checkoutId } = await openCheckout();
    await press(`/sandbox-payments/checkout/${checkoutId}`, "card=success");
    expect((await charge("key-1")).json()).toMatchObject({ code: "sandbox_no_card" });
    expect((await charge("key-2")).statusCode).toBe(200);
  });

  it("wants a key for each change", async () => {
    const answer = await service.app.inject({
      method: "POST",
      url: "/sandbox-payments/v1/refunds",
      headers: { authorization },
      payload: { paymentId: "x", amount: { amount: 1, currency: "USD" } },
    });
    expect(answer.json()).toMatchObject({ code: "sandbox_key_missing" });
  });

  it("knows everything after a restart, and cuts a line that was not written whole", async () => {
    const { checkoutId } = await openCheckout();
    await press(`/sandbox-payments/checkout/${checkoutId}`, "card=success");
    const before = await charge("key-1");
    await service.close();
    const file = variables["SANDBOX_FILE"] ?? "";
    const whole = await readFile(file, "utf8");
    await appendFile(file, '[["payments","payment_torn",{"ke');
    await open();
    expect(await readFile(file, "utf8")).toBe(whole);
    expect((await charge("key-1")).body).toBe(before.body);
  });
});

describe("the hosted page", () => {
  it.each(["en", "he"] as const)(
    "shows amount, test cards and that it is a test (%s)",
    async (language) => {
      const { checkoutId, url } = await openCheckout(language);
      expect(url).toBe(`${origin}/sandbox-payments/checkout/${checkoutId}`);
      const { body, headers } = await page(`/sandbox-payments/checkout/${checkoutId}`);
      const t = texts[language];
      expect(body).toContain(`lang="${language}" dir="${language === "he" ? "rtl" : "ltr"}"`);
      for (const text of [t.testPage, t.toPay, ...Object.values(t.cards)])
        expect(body).toContain(text);
      expect(body).toMatch(/\$.?20\.00|20\.00.{0,4}\$/u);
      expect(body).toContain("Premium &lt;b&gt;");
      expect(body).not.toContain("<script");
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    },
  );

  it("changes the language on request and keeps it through the bank's question", async () => {
    const { checkoutId } = await openCheckout("en");
    const path = `/sandbox-payments/checkout/${checkoutId}?lang=he`;
    expect((await page(path)).body).toContain(texts.he.chooseCard);
    const { headers } = await press(path, "card=challenge");
    expect(headers.location).toBe(`/sandbox-payments/challenge/${checkoutId}?lang=he`);
    expect((await page(String(headers.location))).body).toContain(texts.he.approve);
  });

  it("leads back to the product with the checkout's id, and is over then", async () => {
    const { checkoutId } = await openCheckout();
    const path = `/sandbox-payments/checkout/${checkoutId}`;
    const back = `${origin}/checkout?step=done&checkout=${checkoutId}`;
    expect((await press(path, "card=success")).headers.location).toBe(back);
    expect((await page(path)).body).toContain(texts.en.ended);
    // In another tab, or twice.
    expect((await press(path, "card=declined")).headers.location).toBe(back);
  });

  it("says why a card failed, and takes another one", async () => {
    const { checkoutId } = await openCheckout();
    const path = `/sandbox-payments/checkout/${checkoutId}`;
    expect((await press(path, "card=stolen")).headers.location).toBe(path);
    expect((await page(path)).body).toContain(texts.en.failures.declined);
    expect((await press(path, "card=success")).headers.location).toMatch(/checkout=/);
  });

  it("takes no answer to the bank's question after a day, nor a second one", async () => {
    const { checkoutId } = await openCheckout();
    const path = `/sandbox-payments/challenge/${checkoutId}`;
    await press(`/sandbox-payments/checkout/${checkoutId}`, "card=challenge");
    nowMs += 24 * 3_600_000;
    await press(path, "answer=approve");
    expect((await page(path)).body).toContain(texts.en.answered);
    const url = "/sandbox-payments/v1/payments?key=checkout-1";
    const { payment } = (await service.app.inject({ url, headers: { authorization } })).json<{
      payment: { status: string };
    }>();
    expect(payment.status).toBe("action-required");
  });

  it("refuses forms of other sites, unknown cards and unknown pages", async () => {
    const { checkoutId } = await openCheckout();
    const path = `/sandbox-payments/checkout/${checkoutId}`;
    const foreign = await press(path, "card=success", { origin: "https://other.example" });
    expect(foreign.statusCode).toBe(403);
    expect((await press(path, "card=4242424242424242")).statusCode).toBe(422);
    expect((await page("/sandbox-payments/checkout/none")).statusCode).toBe(404);
    expect((await page("/sandbox-payments/challenge/none")).statusCode).toBe(404);
  });
});
