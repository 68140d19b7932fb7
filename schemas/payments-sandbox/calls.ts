import { z } from "zod";

import { Money } from "../billing/money.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Locale } from "../primitives/locale.ts";
import { defineProblems } from "../primitives/problem.ts";
import {
  SandboxCard,
  sandboxDisputeStatuses,
  SandboxCheckout,
  SandboxKey,
  SandboxPayment,
  SandboxRefund,
} from "./objects.ts";

/** How long the first answer under a key is repeated. */
export const sandboxKeyHours = 24;
export const sandboxCheckoutHours = 24;
/**
 * When a request happened, in milliseconds since 1970: the demo's payments of the past. Of such ones no
 * webhook is sent.
 */
export const sandboxTimeHeader = "sandbox-time";

export const sandboxProblems = defineProblems({
  sandbox_key_missing: [400, "A change needs an Idempotency-Key header."],
  sandbox_key_reused: [409, "This key was already used with other parameters."],
  sandbox_no_card: [409, "The account has no stored card."],
  sandbox_payment_unknown: [404, "There is no such payment."],
  sandbox_not_refundable: [409, "The payment cannot be refunded, or not by so much."],
});
const { sandbox_key_missing: keyMissing, sandbox_key_reused: keyReused } = sandboxProblems;
const keyProblems = [keyMissing, keyReused] as const;

const ById = z.object({ id: z.string().min(1).max(100) });
const ByKey = z.object({ key: SandboxKey });
const AccountId = z.string().regex(/^[\w-]{1,100}$/);
const Amount = Money.refine(({ amount }) => amount > 0, "must be more than nothing");
const Description = z.string().min(1).max(500);

/** The provider's interface; its secret key is the bearer. A change carries an `Idempotency-Key`. */
export const sandboxCalls = defineCalls({
  "POST /sandbox-payments/v1/checkouts": {
    summary: "Opens a hosted page on which the holder enters a card.",
    access: "internal",
    body: z.object({
      accountId: AccountId,
      amount: Amount.nullable(),
      description: Description,
      language: Locale,
      returnUrl: z.url({ protocol: /^https?$/ }),
      cancelUrl: z.url({ protocol: /^https?$/ }),
    }),
    answer: SandboxCheckout,
    problems: keyProblems,
  },
  "GET /sandbox-payments/v1/checkouts/:id": {
    summary: "A hosted page and what was paid on it.",
    access: "internal",
    params: ById,
    answer: SandboxCheckout,
  },
  "POST /sandbox-payments/v1/payments": {
    summary: "Charges the stored card of an account.",
    access: "internal",
    body: z.object({ accountId: AccountId, amount: Amount, description: Description }),
    answer: SandboxPayment,
    problems: [...keyProblems, sandboxProblems.sandbox_no_card],
  },
  "GET /sandbox-payments/v1/payments": {
    summary: "The payment that was made under a key.",
    access: "internal",
    query: ByKey,
    answer: z.object({ payment: SandboxPayment.nullable() }),
  },
  "GET /sandbox-payments/v1/payments/:id": {
    summary: "A payment.",
    access: "internal",
    params: ById,
    answer: SandboxPayment,
  },
  "POST /sandbox-payments/v1/refunds": {
    summary: "Refunds a payment, wholly or in part.",
    access: "internal",
    body: z.object({ paymentId: z.string().min(1).max(100), amount: Amount }),
    answer: SandboxRefund,
    problems: [
      ...keyProblems,
      sandboxProblems.sandbox_payment_unknown,
      sandboxProblems.sandbox_not_refundable,
    ],
  },
  "GET /sandbox-payments/v1/refunds": {
    summary: "The refund that was made under a key.",
    access: "internal",
    query: ByKey,
    answer: z.object({ refund: SandboxRefund.nullable() }),
  },
  "GET /sandbox-payments/v1/customers/:id": {
    summary: "The stored card of an account.",
    access: "internal",
    params: ById,
    answer: z.object({ card: SandboxCard.nullable() }),
  },
  "DELETE /sandbox-payments/v1/customers/:id": {
    summary: "Deletes the stored card of an account.",
    access: "internal",
    params: ById,
    answer: z.object({ deleted: z.boolean() }),
  },
});

/** Controls for tests and for the demo, which a real provider does not have. */
export const sandboxControls = defineCalls({
  "POST /sandbox-payments/test/cards": {
    summary: "Pays on a hosted page with one of its cards, as its holder does.",
    access: "internal",
    body: z.object({ checkoutId: z.string().min(1).max(100), card: z.string().max(40) }),
    answer: SandboxCheckout,
  },
  "POST /sandbox-payments/test/disputes": {
    summary: "Opens or decides the dispute of a payment.",
    access: "internal",
    body: z.object({ paymentId: z.string(), status: z.enum(sandboxDisputeStatuses) }),
    answer: SandboxPayment,
    problems: [sandboxProblems.sandbox_payment_unknown],
  },
  "POST /sandbox-payments/test/faults": {
    summary: "Loses or delays the answer of the next change, which has its effect all the same.",
    access: "internal",
    body: z.object({ fault: z.enum(["answer-lost", "slow"]) }),
    answer: z.object({}),
  },
  "POST /sandbox-payments/test/webhooks": {
    summary: "Holds webhooks back, or sends those that wait: in reverse order, several times.",
    access: "internal",
    body: z.object({
      hold: z.boolean(),
      reverse: z.boolean().default(false),
      copies: z.int().min(1).max(5).default(1),
    }),
    answer: z.object({ sent: z.int() }),
  },
  "GET /sandbox-payments/test/payments": {
    summary: "All payments, to compare their sum with the ledger's.",
    access: "internal",
    answer: z.object({ payments: z.array(SandboxPayment) }),
  },
});
