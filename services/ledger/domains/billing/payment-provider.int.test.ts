import { randomUUID } from "node:crypto";

import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, expect, it } from "vitest";

import { runCommand } from "../../kernel/commands.ts";
import { noMail } from "../../kernel/testing/ledger-workers.ts";
import { testCause } from "../../testing/create-test-ledger.ts";
import { billingEraser, paymentProviderEraser } from "./module.ts";
import { PaymentUncertain } from "./payments/port.ts";
import { billingAccounts } from "./subscriptions.ts";
import { type BillingService, type Holder, openBillingService } from "./testing/billing-service.ts";
import { openCheckout } from "./testing/checkout.ts";

let service: BillingService;
beforeAll(async () => {
  service = await openBillingService();
});
afterAll(() => service.close());

const erase = async (eraser: typeof billingEraser, { accountId }: Holder) => {
  const stopping = new AbortController().signal;
  const context = { ...service.ledger, mailer: noMail, stopping };
  const why = { now: instantFromMs(service.now()), cause: testCause() };
  return await eraser.erase(context, { accountId, email: null }, why);
};
const close = async ({ accountId }: Holder): Promise<void> => {
  const command = { type: "CloseAccount" } as const;
  const why = { now: instantFromMs(service.now()), cause: testCause() };
  await runCommand(service.ledger.ledger, billingAccounts, {
    ...why,
    id: accountId,
    command,
    body: command,
    commandId: randomUUID(),
  });
};

it("an account that paid is erased at the provider, which is asked until it answers", async () => {
  const holder = service.holder();
  const { checkoutId } = (await openCheckout(holder)).json<{ checkoutId: string }>();
  service.payments.complete(checkoutId);
  await holder.get(`/api/checkout/${checkoutId}`);
  expect(await erase(paymentProviderEraser, holder)).toEqual({ found: 1, left: 1 });
  await close(holder);
  service.payments.away(true);
  await expect(service.advance(1)).rejects.toThrow(PaymentUncertain);
  expect(await erase(billingEraser, holder)).toMatchObject({ left: 0 });
  expect(await erase(paymentProviderEraser, holder)).toEqual({ found: 1, left: 1 });
  service.payments.away(false);
  await service.advance(1);
  expect(service.payments.book.forgotten.has(holder.accountId)).toBe(true);
  for (const _again of [1, 2])
    expect(await erase(paymentProviderEraser, holder)).toEqual({ found: 1, left: 0 });
  // Bookkeeping keeps what was paid, under a number that leads to no person.
  const kept = await service.ledger.sql`
    select from ledger.event
     where stream = ${`billing-${holder.accountId}`} and type = 'CustomerForgotten'`;
  expect(kept).toHaveLength(1);
});

it("of an account that never paid the provider has nothing, and is not asked", async () => {
  const holder = service.holder();
  await close(holder);
  await service.advance(1);
  expect(await erase(paymentProviderEraser, holder)).toEqual({ found: 0, left: 0 });
  expect(service.payments.book.forgotten.has(holder.accountId)).toBe(false);
});
