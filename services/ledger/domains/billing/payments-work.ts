import { totalOf, type PriceBook, type TaxRate } from "@pro-talent/schemas/billing/prices";
import type { BillingState, Charge, Checkout } from "@pro-talent/schemas/billing/state";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import type { CommandContext } from "../../kernel/commands.ts";
import type { BillingCommand } from "./decider.ts";
import { type PaymentProvider, PaymentRefused, PaymentUncertain } from "./payments/port.ts";
import { isRunning } from "./quotes.decider.ts";
import { openCharge, todayOf } from "./renewal.decider.ts";
import type { BillingStore } from "./subscriptions.ts";

/** What the work on payments uses. */
export type PaymentsWork = {
  readonly store: BillingStore;
  readonly payments: PaymentProvider;
  readonly book: PriceBook;
  readonly taxes: readonly TaxRate[];
  /** Fresh UUIDs. */
  readonly newId: () => string;
  readonly restrictions: Restrictions;
};

/** Of accounts that are to be deleted: nothing is charged or announced until that is cancelled. */
export type Restrictions = {
  readonly isRestricted: (accountId: string) => Promise<boolean>;
  /** When the last one was cancelled; null when there was none. */
  readonly endedAt: (accountId: string) => Promise<Instant | null>;
};

/** A name for lists of payments, in English: the provider shows it as it is. */
export function describePlan({ plan, cycle }: Charge["price"]): string {
  return `Pro Talent ${plan === "premium" ? "Premium" : "Essential"}, ${cycle}`;
}

async function issue(
  { store }: PaymentsWork,
  accountId: string,
  command: BillingCommand,
  context: CommandContext,
): Promise<void> {
  const { now, cause } = context;
  const result = await store.issue(accountId, command, { now, cause });
  if (result.kind === "refusal") throw new Error(`${command.type} is refused: ${result.code}`);
}

/** Charges what is due. The intent and its key are recorded before the provider is called. */
export async function chargeWhenDue(
  work: PaymentsWork,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  if (openCharge(await work.store.read(accountId)) === undefined) {
    const notBefore = await work.restrictions.endedAt(accountId);
    const charge = work.newId();
    const command = { type: "IntendCharge", charge, taxes: work.taxes, notBefore } as const;
    await issue(work, accountId, command, context);
  }
  await settleOpenCharge(work, accountId, context);
}

/**
 * Brings an open charge to its end: it is looked up by its key first, and called for only when the
 * provider does not know it.
 * @throws PaymentUncertain when the provider does not answer: to be repeated
 */
export async function settleOpenCharge(
  work: PaymentsWork,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  const state = await work.store.read(accountId);
  const charge = openCharge(state);
  if (charge === undefined) return;
  const { charge: key, terms, price } = charge;
  const found = await work.payments.findPayment({ key });
  if (found !== undefined) {
    await issue(work, accountId, { type: "RecordPayment", charge: key, payment: found }, context);
    return;
  }
  const isRestricted = await work.restrictions.isRestricted(accountId);
  if (isRestricted || !isStillWanted(state, charge, context.now)) {
    // A look-up may be some minutes behind the provider's books.
    if (context.now < instantPlus(charge.at, giveUpAfterMs)) return;
    await issue(work, accountId, { type: "DropCharge", charge: key }, context);
    return;
  }
  const payment = await work.payments.charge({
    key,
    accountId,
    amount: totalOf(terms),
    description: describePlan(price),
  });
  await issue(work, accountId, { type: "RecordPayment", charge: key, payment }, context);
}

const giveUpAfterMs = 55 * 60 * 1000;

/** Whether a charge that never reached the provider may still be called for. */
function isStillWanted(state: BillingState, { contract, cover }: Charge, now: Instant): boolean {
  const { subscription } = state;
  if (subscription === null || subscription.contract !== contract) return false;
  if (subscription.ending !== null || state.parked !== null) return false;
  return isRunning(state, now) && todayOf(subscription, now) < cover.to;
}

/** Looks a payment up again after a hint: it may have been returned, disputed or confirmed. */
export async function settlePayment(
  work: PaymentsWork,
  accountId: string,
  key: string,
  context: CommandContext,
): Promise<void> {
  const payment = await work.payments.findPayment({ key });
  if (payment === undefined) return;
  await issue(work, accountId, { type: "RecordPayment", charge: key, payment }, context);
}

const abandonedMs = 24 * 60 * 60 * 1000;

/** Looks a checkout up. One whose opening was not answered is known by the key of its payment. */
export async function settleCheckout(
  work: PaymentsWork,
  accountId: string,
  { checkout, reference, openedAt }: Checkout,
  context: CommandContext,
): Promise<void> {
  const record = (status: "open" | "completed" | "expired", payment: Payment) =>
    issue(work, accountId, { type: "RecordCheckout", checkout, status, payment }, context);
  const isAbandoned = context.now >= instantPlus(openedAt, abandonedMs);
  const found = reference === null ? undefined : await work.payments.findCheckout(reference);
  if (found !== undefined) return await record(found.status, found.payment);
  const payment = (await work.payments.findPayment({ key: checkout })) ?? null;
  await record(isAbandoned ? "expired" : "open", payment);
}
type Payment = Extract<BillingCommand, { type: "RecordCheckout" }>["payment"];

/** Looks up every checkout that is open. */
export async function settleCheckouts(
  work: PaymentsWork,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  const { checkouts } = await work.store.read(accountId);
  for (const checkout of checkouts.filter(({ status }) => status === "open")) {
    await settleCheckout(work, accountId, checkout, context);
  }
}

/**
 * Calls for the refunds that are intended, each under its own key, and records how they ended. What the
 * provider refuses stays owed, and an administrator sees it.
 */
export async function settleRefunds(
  work: PaymentsWork,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  const { refunds, charges } = await work.store.read(accountId);
  for (const { refund: key, charge: of, amount } of refunds.filter(isIntended)) {
    const charge = charges.find((one) => one.charge === of);
    const payment = charge?.payment ?? null;
    if (charge === undefined || payment === null) continue;
    const { terms } = charge;
    const status = await refundStatus(work, {
      key,
      paymentId: payment,
      amount: { amount, currency: terms.currency },
    });
    await issue(work, accountId, { type: "RecordRefund", refund: key, status }, context);
  }
}

const isIntended = ({ status }: BillingState["refunds"][number]): boolean => status === "intended";

async function refundStatus(
  { payments }: PaymentsWork,
  request: Parameters<PaymentProvider["refund"]>[0],
) {
  try {
    const refund = (await payments.findRefund(request.key)) ?? (await payments.refund(request));
    return refund.status;
  } catch (error) {
    if (error instanceof PaymentRefused) return "failed";
    throw error;
  }
}

/** Goes on after an act; what the provider does not answer now is settled by timers. */
export async function settleNow(
  work: PaymentsWork,
  accountId: string,
  context: CommandContext,
): Promise<void> {
  try {
    await settleOpenCharge(work, accountId, context);
    await settleRefunds(work, accountId, context);
  } catch (error) {
    if (!(error instanceof PaymentUncertain)) throw error;
  }
}
