import { randomUUID } from "node:crypto";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { limitRate } from "@pro-talent/platform/http/rate-limit";
import { linkWebhookCalls } from "@pro-talent/schemas/links/webhook-calls";
import type { FastifyInstance } from "fastify";

import type { EmailOf } from "../../contacts.ts";
import { unavailable } from "../../kernel/http.ts";
import type { HttpContext } from "../../kernel/module.ts";
import type { WebhookCommand } from "./decider.ts";
import {
  actOn,
  addWebhook,
  type Caller,
  deleteWebhook,
  listWebhooks,
  replaceSecret,
  requireIncluded,
} from "./owner-webhooks.ts";

/** The calls of account holders about their webhooks. */
export async function addWebhookRoutes(
  app: FastifyInstance,
  context: HttpContext,
  emailOf: EmailOf,
): Promise<void> {
  await limitRate(app, { reads: context.readsPerMinute, writes: context.formsPerMinute });
  const act = (caller: Caller, webhookId: string, command: WebhookCommand) =>
    actOn(context, caller, webhookId, command).catch(unavailable);
  addCalls(app, linkWebhookCalls, {
    "GET /api/link-webhooks": (_input, { account }) =>
      listWebhooks(context, account.accountId).catch(unavailable),
    "POST /api/link-webhooks": async ({ body: { url } }, caller) => {
      await requireIncluded(context, caller).catch(unavailable);
      return await addWebhook(context, caller, { url, emailOf }).catch(unavailable);
    },
    "POST /api/link-webhooks/:webhookId/secret": ({ params: { webhookId } }, caller) =>
      replaceSecret(context, caller, webhookId).catch(unavailable),
    "POST /api/link-webhooks/:webhookId/test": ({ params: { webhookId } }, caller) =>
      act(caller, webhookId, { type: "RequestTest", deliveryId: randomUUID() }),
    "POST /api/link-webhooks/:webhookId/resume": ({ params: { webhookId } }, caller) =>
      act(caller, webhookId, { type: "ResumeWebhook" }),
    "POST /api/link-webhooks/:webhookId/deliveries/:deliveryId/replay": ({ params }, caller) => {
      const { webhookId, deliveryId } = params;
      return act(caller, webhookId, { type: "ReplayDelivery", deliveryId });
    },
    "DELETE /api/link-webhooks/:webhookId": ({ params: { webhookId } }, caller) =>
      deleteWebhook(context, caller, webhookId).catch(unavailable),
  });
}
