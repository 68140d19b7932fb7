import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { internalBillingCalls, parkedCalls, webhookCalls } from "@pro-talent/schemas/billing/calls";
import { parkingReasons } from "@pro-talent/schemas/billing/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import type { CommandContext } from "../../kernel/commands.ts";
import { requestContext, storeProblem, unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { isRestricted } from "../../restriction.ts";
import { addCheckoutRoutes } from "./checkout.routes.ts";
import type { BillingRoutes } from "./holder-acts.ts";
import {
  type PaymentsWork,
  settleCheckout,
  settlePayment,
  settleRefunds,
} from "./payments-work.ts";
import type { ProviderHint } from "./payments/port.ts";
import {
  billingReferences,
  findReference,
  listParked,
  parkedAccounts,
  planOf,
} from "./read-models.ts";
import { entitlementsIn } from "./subscription-view.ts";
import { addSubscriptionRoutes } from "./subscription.routes.ts";

/** Subscriptions of signed-in accounts, what administrators see, and hints of the provider. */
export async function addBillingRoutes(app: FastifyInstance, routes: BillingRoutes): Promise<void> {
  const { context } = routes;
  await app.register(async (scope) => {
    await limitRate(scope, { writes: context.formsPerMinute, reads: context.readsPerMinute });
    addCheckoutRoutes(scope, routes);
    addSubscriptionRoutes(scope, routes);
    addParkedRoutes(scope, routes);
  });
  addCalls(app, internalBillingCalls, {
    "GET /internal/entitlements/:accountId": async ({ params: { accountId } }) => {
      const now = instantFromMs(context.clock());
      const { sql } = context.ledger;
      const plan = await planOf(sql, accountId, now).catch(unavailable);
      const restricted = await isRestricted(sql, accountId).catch(unavailable);
      return { entitlements: entitlementsIn(plan), restricted };
    },
  });
  await app.register(async (scope) => addWebhook(scope, routes));
}

function addParkedRoutes(app: FastifyInstance, { context, work }: BillingRoutes): void {
  const { sql } = context.ledger;
  addCalls(app, parkedCalls, {
    "GET /api/console/billing/parked": async () => {
      await context.catchUp(parkedAccounts).catch(unavailable);
      const rows = await listParked(sql).catch(unavailable);
      const accounts = rows.map(({ accountId, reason, since }) => ({
        accountId,
        reason: z.enum(parkingReasons).parse(reason),
        since: instantFromMs(since.getTime()),
      }));
      return { accounts };
    },
    "POST /api/console/billing/parked/:accountId/release": async (
      { params: { accountId } },
      { request, refuse, account },
    ) => {
      const { store } = work;
      const state = await store.read(accountId).catch(unavailable);
      if (state.parked === null) return refuse("subscription_none");
      const issued = requestContext(context, request, `account:${account.accountId}`);
      const released = store.issue(accountId, { type: "ReleaseAccount" }, issued);
      const result = await released.catch(unavailable);
      if (result.kind === "refusal") throw storeProblem("version_conflict");
      return { status: "done" as const };
    },
  });
}

/**
 * An event of the provider is a hint: what it is about is looked up, and recorded as a look-up by a timer
 * would be. So neither repetitions nor the order matter. One about what is not known here is taken and
 * dropped: it belongs to another environment, or to a checkout that was never attached.
 */
function addWebhook(app: FastifyInstance, { context, work }: BillingRoutes): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const { payments } = work;
  addCalls(app, webhookCalls, {
    "POST /api/payments/webhooks/:provider": async ({ params }, { request, refuse }) => {
      const { body, headers } = request;
      if (!Buffer.isBuffer(body) || params.provider !== payments.name)
        return refuse("hint_refused");
      const hint = await payments.readHint(headers, body, context.clock());
      if (typeof hint === "string") return refuse("hint_refused");
      const issued = requestContext(context, request, "service:payments");
      await follow(context, work, hint, issued).catch(unavailable);
      return { status: "received" as const };
    },
  });
}

async function follow(
  context: HttpContext,
  work: PaymentsWork,
  { about }: ProviderHint,
  issued: CommandContext,
): Promise<void> {
  if (about.kind === "other") return;
  const reference = about.kind === "checkout" ? about.checkoutId : about.paymentId;
  await context.catchUp(billingReferences);
  const found = await findReference(context.ledger.sql, reference);
  if (found === undefined) return;
  const { accountId, key } = found;
  const { checkouts } = await work.store.read(accountId);
  const checkout = checkouts.find((one) => one.checkout === key);
  if (about.kind === "checkout" && checkout !== undefined) {
    await settleCheckout(work, accountId, checkout, issued);
  } else {
    await settlePayment(work, accountId, key, issued);
  }
  await settleRefunds(work, accountId, issued);
}
