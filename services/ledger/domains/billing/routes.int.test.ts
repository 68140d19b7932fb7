import { randomUUID } from "node:crypto";

import { statusReport } from "@pro-talent/platform/mail/testing/sample-reports";
import { mailReportsPath } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCommand } from "../../kernel/commands.ts";
import { catchUp } from "../../kernel/follow.ts";
import { followerOfProcess } from "../../kernel/processes.ts";
import { modules } from "../../modules.ts";
import { internalToken, testCause } from "../../testing/create-test-ledger.ts";
import { accountStreams } from "../accounts/module.ts";
import { newsletter } from "../newsletter/module.ts";
import { billing } from "./module.ts";
import { type BillingService, type Holder, openBillingService } from "./testing/billing-service.ts";
import { choice, consents, openCheckout, type Quoted, view } from "./testing/checkout.ts";

let service: BillingService;
beforeAll(async () => {
  service = await openBillingService({ BILLING: "open" }, [newsletter]);
});
afterAll(() => service.close());

type Opened = { checkoutId: string };
type Refused = { code: string };

async function hint(about: string) {
  const headers = { "content-type": "application/json" };
  const url = "/api/payments/webhooks/sandbox";
  return await service.app.inject({ method: "POST", url, headers, payload: `signed ${about}` });
}

/** A holder whose checkout was paid, and reported by the provider. */
async function subscriber(): Promise<Holder> {
  const holder = service.holder();
  const { checkoutId } = (await openCheckout(holder)).json<Opened>();
  service.payments.complete(checkoutId);
  await hint(`checkout ${checkoutId}`);
  return holder;
}

const eventsOf = async ({ accountId }: Holder, type: string) =>
  await service.ledger.sql`
    select from ledger.event where stream = ${`billing-${accountId}`} and type = ${type}`;

describe("checkout", () => {
  it("records the consents, leads to the provider, and begins when it is paid", async () => {
    const holder = service.holder();
    const answer = await openCheckout(holder);
    expect(answer.json()).toMatchObject({ status: "redirect" });
    const { checkoutId } = answer.json<Opened>();
    expect(await eventsOf(holder, "ConsentGiven")).toHaveLength(3);
    const open = await holder.get(`/api/checkout/${checkoutId}`);
    expect(open.json()).toEqual({ status: "open", url: `https://pay.example/${checkoutId}` });
    service.payments.complete(checkoutId);
    expect(
      (await holder.get(`/api/checkout/${checkoutId}`)).json<{ status: string }>().status,
    ).toBe("completed");
    expect(await view(holder)).toMatchObject({
      plan: "essential",
      status: "active",
      price: { amount: 1000, currency: "USD" },
      nextBilling: { amount: 1000 },
      // The day of the purchase is not counted.
      refund: { daysLeft: 14, amount: { amount: 1000, currency: "USD" } },
    });
  });

  it("repeated with the same key is the same page; other prices or consents are refused", async () => {
    const holder = service.holder();
    const key = randomUUID();
    const [first, again] = [await openCheckout(holder, key), await openCheckout(holder, key)];
    expect(again.json()).toEqual(first.json());
    const { hash } = (await holder.post("/api/checkout/quote", choice)).json<Quoted>();
    const body = { ...choice, hash, language: "en" };
    const missing = await holder.post("/api/checkout", { ...body, consents: consents.slice(1) });
    expect(missing.json<Refused>().code).toBe("consents_missing");
    const other = { ...body, consents, plan: "premium" };
    expect((await holder.post("/api/checkout", other)).json<Refused>().code).toBe("quote_changed");
  });

  it("is refused while billing is closed, unless the account was invited", async () => {
    const closed = await openBillingService({ BILLING: "closed" });
    const answer = await closed.holder().post("/api/checkout/quote", choice);
    expect([answer.statusCode, answer.json<Refused>().code]).toEqual([403, "billing_closed"]);
    await closed.close();
  });

  it("of another account is not known", async () => {
    const { checkoutId } = (await openCheckout(service.holder())).json<Opened>();
    expect((await service.holder().get(`/api/checkout/${checkoutId}`)).statusCode).toBe(404);
  });
});

describe("a subscription", () => {
  it("does what its buttons show: an upgrade, a scheduled change, a withdrawal", async () => {
    const holder = await subscriber();
    const button = async (act: string, plan?: string) =>
      (await view(holder)).actions.find(
        (one) => one.quote.act === act && (plan === undefined || one.choice?.plan === plan),
      );
    const up = await button("upgrade", "premium");
    const changed = await holder.post("/api/subscription/change", {
      ...up?.choice,
      hash: up?.hash,
    });
    expect(changed.json()).toEqual({ status: "applied" });
    const down = await button("downgrade");
    await holder.post("/api/subscription/change", { ...down?.choice, hash: down?.hash });
    expect((await view(holder)).scheduled).toMatchObject({ plan: "essential" });
    const drop = await button("drop-downgrade");
    expect(
      (await holder.post("/api/subscription/drop-downgrade", { hash: drop?.hash })).statusCode,
    ).toBe(200);
    const stale = await holder.post("/api/subscription/cancel", { hash: drop?.hash });
    expect(stale.json<Refused>().code).toBe("quote_changed");
    const cancel = await button("withdraw");
    const key = randomUUID();
    for (const hash of [cancel?.hash, cancel?.hash]) {
      const answer = await holder.post("/api/subscription/cancel", { hash }, key);
      expect(Date.parse(answer.json<{ at: string }>().at)).not.toBeNaN();
    }
    expect(
      (await holder.get("/api/payments")).json<{ refunds: unknown[] }>().refunds,
    ).toMatchObject([{ status: "succeeded" }, { status: "succeeded" }]);
    expect(await view(holder)).toMatchObject({ plan: "free", status: "none" });
  });

  it("declined on upgrade stays as it is", async () => {
    const holder = await subscriber();
    service.payments.behave("declines");
    const { hash } = (
      await holder.post("/api/subscription/change-quote", { plan: "premium", cycle: "monthly" })
    ).json<Quoted>();
    const change = { plan: "premium", cycle: "monthly", hash };
    const answer = await holder.post("/api/subscription/change", change);
    service.payments.behave("succeeds");
    expect([answer.statusCode, (await view(holder)).plan]).toEqual([402, "essential"]);
  });

  it("is renewed after its reminder, with mails in the holder's language", async () => {
    const holder = await subscriber();
    await service.advance(32);
    expect(await eventsOf(holder, "PlanRenewed")).toHaveLength(1);
    const subjects = service.mails.map(({ subject }) => subject);
    expect(subjects).toContain("תזכורת: המינוי עומד להתחדש");
    expect(new Set(service.mails.map(({ id }) => id)).size).toBe(service.mails.length);
    const [row] = await service.ledger.sql`
      select plan, until from ledger.billing_entitlement where account_id = ${holder.accountId}`;
    expect(row).toEqual({ plan: "essential", until: null });
  });
});

it("other services learn what the plan of an account includes, and only they do", async () => {
  const included = async (accountId: string) => {
    const headers = { authorization: `Bearer ${internalToken}` };
    const url = `/internal/entitlements/${accountId}`;
    return (await service.app.inject({ url, headers })).json<{ entitlements: string[] }>();
  };
  const paying = await subscriber();
  expect((await included(paying.accountId)).entitlements).toContain("publish-portfolio");
  const free = (await included(service.holder().accountId)).entitlements;
  expect(free).toContain("download-cv");
  expect(free).not.toContain("publish-portfolio");
  const url = `/internal/entitlements/${paying.accountId}`;
  expect((await service.app.inject({ url })).statusCode).toBe(401);
});

describe("hints of the provider", () => {
  it("19: the same one, twice and at once, starts one subscription", async () => {
    const holder = service.holder();
    const { checkoutId } = (await openCheckout(holder)).json<Opened>();
    service.payments.complete(checkoutId);
    const answers = await Promise.all([1, 2, 3, 4].map(() => hint(`checkout ${checkoutId}`)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(await eventsOf(holder, "SubscriptionStarted")).toHaveLength(1);
    expect(await eventsOf(holder, "ChargeSucceeded")).toHaveLength(1);
  });

  it("32: two browsers pay for one account at the same time: one plan, the other payment is returned", async () => {
    const holder = service.holder();
    const pages = await Promise.all([openCheckout(holder), openCheckout(holder)]);
    const ids = pages.map((page) => page.json<Opened>().checkoutId);
    for (const id of ids) service.payments.complete(id);
    const answers = await Promise.all(
      [...ids, ...ids].flatMap((id) => [hint(`checkout ${id}`), holder.get(`/api/checkout/${id}`)]),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(await eventsOf(holder, "SubscriptionStarted")).toHaveLength(1);
    expect(await eventsOf(holder, "ChargeSucceeded")).toHaveLength(2);
    await service.advance(1);
    expect(await eventsOf(holder, "RefundSettled")).toHaveLength(1);
    const { payments } = (await holder.get("/api/payments")).json<{
      payments: { chargeId: string }[];
    }>();
    const kept = payments.map(({ chargeId }) => service.payments.book.payments.get(chargeId));
    expect(kept.map((one) => one?.refunded).toSorted((a = 0, b = 0) => a - b)).toEqual([0, 1000]);
    expect((await view(holder)).attention).toBeNull();
  });

  it("32: a new card from two browsers at the same time pays an overdue renewal once", async () => {
    const holder = await subscriber();
    service.payments.behave("declines");
    await service.advance(32);
    expect((await view(holder)).status).toBe("overdue");
    service.payments.behave("succeeds");
    const card = async () => {
      const opened = await holder.post("/api/subscription/card", { language: "he" });
      const { checkoutId } = opened.json<Opened>();
      service.payments.complete(checkoutId);
      return await hint(`checkout ${checkoutId}`);
    };
    await Promise.all([card(), card()]);
    await service.advance(1);
    expect(await eventsOf(holder, "PlanRenewed")).toHaveLength(1);
    expect((await view(holder)).status).toBe("active");
  });

  it("21: an unknown object changes nothing; a forged one is refused", async () => {
    expect((await hint("payment pay_unknown")).statusCode).toBe(200);
    const headers = { "content-type": "application/json" };
    const url = "/api/payments/webhooks/sandbox";
    const forged = await service.app.inject({ method: "POST", url, headers, payload: "forged" });
    expect([forged.statusCode, forged.json<Refused>().code]).toEqual([400, "hint_refused"]);
  });
});

describe("a report that a mail came back", () => {
  const report = async (mailId: string) => {
    const messageId = `<${mailId}@talent.example>`;
    const answer = await service.app.inject({
      method: "POST",
      url: mailReportsPath,
      headers: { authorization: `Bearer ${internalToken}`, "content-type": "message/rfc822" },
      payload: statusReport({ messageId }),
    });
    return answer.json<{ status: string }>().status;
  };

  it("16: takes the evidence of a reminder: nothing is charged until it is delivered again", async () => {
    const holder = await subscriber();
    await service.advance(25);
    const reminder = `billing-reminder-${holder.accountId}`;
    const sent = service.mails.findLast(({ id }) => id.startsWith(reminder));
    expect([await report(sent?.id ?? ""), await report(sent?.id ?? "")]).toEqual([
      "recorded",
      "ignored",
    ]);
    expect(await report(`billing-reminder-${randomUUID()}-2026-04-01.0`)).toBe("ignored");
    expect(await eventsOf(holder, "NoticeFailed")).toHaveLength(1);
    await service.advance(4);
    expect(await eventsOf(holder, "ChargeIntended")).toHaveLength(0);
    await service.advance(6);
    expect(await eventsOf(holder, "ChargeIntended")).toHaveLength(1);
  });
});

it("40: an account that is reported as closed is charged no more", async () => {
  const holder = await subscriber();
  const closing = { id: holder.accountId, command: { type: "CloseAccount" }, body: {} } as const;
  const issued = { now: instantFromMs(service.now()), cause: testCause() };
  const { ledger } = service.ledger;
  await runCommand(ledger, accountStreams, { ...closing, ...issued });
  const families = modules.flatMap(({ events }) => events);
  for (const process of billing.processes) {
    await catchUp(followerOfProcess(process, { ledger, families }));
  }
  expect(await eventsOf(holder, "AccountClosed")).toHaveLength(1);
  await service.advance(40);
  expect(await eventsOf(holder, "ChargeIntended")).toHaveLength(0);
  expect((await view(holder)).plan).toBe("free");
  expect(service.payments.book.forgotten.has(holder.accountId)).toBe(true);
  expect(await eventsOf(holder, "CustomerForgotten")).toHaveLength(1);
});

describe("an account that is parked", () => {
  it("is shown to administrators, charged nothing, and released by them", async () => {
    const holder = await subscriber();
    const { payments } = (await holder.get("/api/payments")).json<{
      payments: { chargeId: string }[];
    }>();
    const chargeId = payments[0]?.chargeId ?? "";
    service.payments.change(chargeId, { refunded: 5000 });
    const found = service.payments.book.payments.get(chargeId);
    await hint(`payment ${found?.paymentId}`);
    expect((await view(holder)).attention).toEqual({ kind: "being-checked" });
    const administrator = service.holder(["holder", "administrator"]);
    const { accounts } = (await administrator.get("/api/console/billing/parked")).json<{
      accounts: unknown[];
    }>();
    expect(accounts).toMatchObject([{ accountId: holder.accountId, reason: "refunded-too-much" }]);
    expect((await holder.get("/api/console/billing/parked")).statusCode).toBe(403);
    const release = `/api/console/billing/parked/${holder.accountId}/release`;
    expect((await administrator.post(release)).statusCode).toBe(200);
    expect((await view(holder)).attention).toBeNull();
  });
});
