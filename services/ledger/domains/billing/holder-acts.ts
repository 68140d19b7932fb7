import { randomUUID } from "node:crypto";

import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { billingProblems } from "@pro-talent/schemas/billing/calls";
import type { Quote } from "@pro-talent/schemas/billing/quotes";
import type { BillingState } from "@pro-talent/schemas/billing/state";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import type { FastifyRequest } from "fastify";

import type { ContactOf } from "../../contacts.ts";
import type { CommandContext, StoreRefusalCode } from "../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { Refusal } from "../../kernel/types.ts";
import type { BillingCommand, BillingRefusalCode } from "./decider.ts";
import { type PaymentsWork, settleNow } from "./payments-work.ts";
import { PaymentUncertain } from "./payments/port.ts";
import { hashOf } from "./subscription-view.ts";

/** What the routes of billing use. */
export type BillingRoutes = {
  readonly context: HttpContext;
  readonly work: PaymentsWork;
  readonly contactOf: ContactOf;
  /** Plans can be bought by every account. */
  readonly isOpen: boolean;
};

export type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };

/** An account holder's request, and the billing as it finds it. */
export type Acting = {
  readonly accountId: string;
  readonly issued: CommandContext;
  /** The client's, so that a repetition is recognised; also the key of a payment that it leads to. */
  readonly commandId: string;
  readonly state: BillingState;
};

export async function beginAct(
  { context, work }: BillingRoutes,
  { request, account }: Caller,
): Promise<Acting> {
  const { accountId } = account;
  const commandId = idempotencyKey(request) ?? randomUUID();
  const issued = requestContext(context, request, `account:${accountId}`);
  const state = await work.store.read(accountId).catch(unavailable);
  return { accountId, issued, commandId, state };
}

/** Issues a command under the caller's key. @throws ProblemError */
export async function issueAct(
  { work }: BillingRoutes,
  { accountId, issued, commandId }: Acting,
  command: BillingCommand,
  hash: string | null,
): Promise<void> {
  const request = { ...issued, commandId, body: { hash } };
  const result = await work.store.issue(accountId, command, request).catch(unavailable);
  if (result.kind === "refusal") throw problemOf(result.code);
}

function problemOf(code: BillingRefusalCode | StoreRefusalCode): ProblemError {
  switch (code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      return storeProblem(code);
    default:
      return new ProblemError(billingProblems[code]);
  }
}

/** @throws ProblemError for what cannot be done now */
export function quoteOf<Shown extends Quote>(quote: Shown | Refusal<BillingRefusalCode>): Shown {
  if ("kind" in quote) throw problemOf(quote.code);
  return quote;
}

/**
 * Does what was shown, if it is still what would be done. A repetition under the same key changes nothing.
 * @param now the quote as it is now
 */
export async function actAsShown<Shown extends Quote>(
  routes: BillingRoutes,
  acting: Acting,
  now: Shown | Refusal<BillingRefusalCode>,
  { hash, commandOf }: { hash: string; commandOf: (quote: Shown) => BillingCommand },
): Promise<void> {
  const { store } = routes.work;
  if (await store.isAnswered(acting.accountId, acting.commandId).catch(unavailable)) return;
  const quote = quoteOf(now);
  if (hashOf(quote) !== hash) throw new ProblemError(billingProblems.quote_changed);
  await issueAct(routes, acting, commandOf(quote), hash);
  await settleNow(routes.work, acting.accountId, acting.issued).catch(unavailable);
}

/** What the provider does not answer now is not known now. */
export function whenUncertain(error: unknown): undefined {
  if (error instanceof PaymentUncertain) return undefined;
  throw error;
}
