import { z } from "zod";

import { insightProblems } from "../insights/calls.ts";
import { signedIn } from "../primitives/access.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { defineProblems } from "../primitives/problem.ts";
import { ExternalUrl } from "./external-url.ts";
import { AttemptFault, FirstOpen, PauseReason } from "./webhook-events.ts";

export const webhookProblems = defineProblems({
  webhook_not_found: [404, "There is no such webhook, or no such delivery."],
  webhooks_full: [409, "This account has as many webhooks as it may. Delete one first."],
  webhook_paused: [409, "This webhook is paused. Resume it first."],
  test_waiting: [409, "A test of this webhook is under way."],
});
const { webhook_not_found, webhooks_full, webhook_paused, test_waiting } = webhookProblems;

/** A message to a receiver, and how far it is. */
export const DeliveryView = z.object({
  /** With `msg_` before it, the `webhook-id` of each of its attempts. */
  deliveryId: Uuid,
  /** Null for a test. */
  open: FirstOpen.nullable(),
  status: z.enum(["waiting", "delivered", "failed"]),
  requestedAt: Instant,
  /** Since it was requested, or replayed. */
  attempts: z.int(),
  /** The last attempt; the answer's status is null when there was no answer. */
  last: z
    .object({ at: Instant, fault: AttemptFault.nullable(), status: z.int().nullable() })
    .nullable(),
  /** Of one that waits. */
  nextAt: Instant.nullable(),
});
export type DeliveryView = z.infer<typeof DeliveryView>;

export const WebhookView = z.object({
  webhookId: Uuid,
  url: z.string(),
  createdAt: Instant,
  paused: z.object({ reason: PauseReason, at: Instant }).nullable(),
  /** Up to then the secret before is used as well. */
  formerSecretUntil: Instant.nullable(),
  /** Of the last 30 days, the newest first, 100 at most. */
  deliveries: z.array(DeliveryView),
});
export type WebhookView = z.infer<typeof WebhookView>;

const params = z.object({ webhookId: Uuid });
const one = z.object({ webhook: WebhookView });

/** For account holders about their webhooks. */
export const linkWebhookCalls = defineCalls({
  "GET /api/link-webhooks": {
    summary: "The webhooks of the account and what they delivered",
    access: signedIn,
    answer: z.object({
      webhooks: z.array(WebhookView),
      webhooksMax: z.int(),
      /** Whether the plan includes them; those that exist can be deleted in any plan. */
      included: z.boolean(),
    }),
  },
  "POST /api/link-webhooks": {
    summary: "Adds a webhook; this answer contains its secret",
    access: { ...signedIn, stepUp: true },
    body: z.object({ url: ExternalUrl }),
    status: 201,
    answer: one.extend({ secret: z.string() }),
    problems: [webhooks_full, insightProblems.insights_not_included],
  },
  "POST /api/link-webhooks/:webhookId/secret": {
    summary: "Replaces the secret of a webhook; for a day messages are signed with both",
    access: { ...signedIn, stepUp: true },
    params,
    answer: one.extend({ secret: z.string() }),
    problems: [webhook_not_found],
  },
  "POST /api/link-webhooks/:webhookId/test": {
    summary: "Sends a test message, once",
    access: signedIn,
    params,
    answer: one,
    problems: [
      webhook_not_found,
      webhook_paused,
      test_waiting,
      insightProblems.insights_not_included,
    ],
  },
  "POST /api/link-webhooks/:webhookId/resume": {
    summary: "Resumes a paused webhook: what waits is sent at once",
    access: signedIn,
    params,
    answer: one,
    problems: [webhook_not_found, insightProblems.insights_not_included],
  },
  "POST /api/link-webhooks/:webhookId/deliveries/:deliveryId/replay": {
    summary: "Sends a message of the last 30 days again, under the same id",
    access: signedIn,
    params: params.extend({ deliveryId: Uuid }),
    answer: one,
    problems: [webhook_not_found, webhook_paused, insightProblems.insights_not_included],
  },
  "DELETE /api/link-webhooks/:webhookId": {
    summary: "Deletes a webhook, its address and its secrets",
    access: signedIn,
    params,
    answer: z.object({ status: z.literal("done") }),
    problems: [webhook_not_found],
  },
});
