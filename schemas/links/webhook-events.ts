import { z } from "zod";

import { DeviceClass } from "../analytics/row.ts";
import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";

/**
 * Why an attempt failed: the name leads to no public address, no connection, no valid certificate, no
 * answer in time, or an answer other than 2xx.
 */
export const attemptFaults = ["address", "connection", "certificate", "timeout", "status"] as const;
export const AttemptFault = z.enum(attemptFaults);
export type AttemptFault = z.infer<typeof AttemptFault>;

/** Why a webhook is paused: its receiver answered 410 Gone, or nothing arrived for three days. */
export const pauseReasons = ["refused", "failing"] as const;
export const PauseReason = z.enum(pauseReasons);

/** The first open of a link by a person. */
export const FirstOpen = z.object({
  linkId: Uuid,
  at: Instant,
  /** ISO 3166-1 alpha-2; null when it is not known, or the person asked not to be tracked. */
  country: z.string().nullable(),
  device: DeviceClass,
});
export type FirstOpen = z.infer<typeof FirstOpen>;

const delivery = { deliveryId: Uuid };

/** Events of a webhook's stream (`webhook-<webhookId>`), free of personal data. */
export const WebhookEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("WebhookCreated"), data: z.object({ accountId: Uuid }) }),
  /** Where it leads and its secrets are sealed beside it ({@link WebhookDetails}). */
  z.object({
    type: z.literal("WebhookSecretIssued"),
    data: z.object({
      /** Up to then messages are also signed with the secret before; null when there is none. */
      formerUntil: Instant.nullable(),
    }),
  }),
  z.object({
    type: z.literal("WebhookDeliveryRequested"),
    data: z.object({
      ...delivery,
      /** Null for a test. */
      open: FirstOpen.nullable(),
    }),
  }),
  z.object({
    type: z.literal("WebhookDelivered"),
    data: z.object({ ...delivery, status: z.int() }),
  }),
  z.object({
    type: z.literal("WebhookAttemptFailed"),
    data: z.object({
      ...delivery,
      fault: AttemptFault,
      /** Of the answer, when there was one. */
      status: z.int().nullable(),
      /** When it is tried again; null when it is given up. */
      retryAt: Instant.nullable(),
    }),
  }),
  z.object({ type: z.literal("WebhookReplayRequested"), data: z.object(delivery) }),
  z.object({ type: z.literal("WebhookPaused"), data: z.object({ reason: PauseReason }) }),
  z.object({ type: z.literal("WebhookResumed"), data: z.object({}) }),
  /** By its owner, or with the account: the key of its details is destroyed. */
  z.object({
    type: z.literal("WebhookErased"),
    data: z.object({ reason: z.enum(["deleted", "account-closed"]) }),
  }),
]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** Where a webhook leads and how it signs, sealed under a key of the webhook's own. */
export const WebhookDetails = z.object({
  url: z.string(),
  /** `whsec_` and 32 bytes in base64. */
  secret: z.string(),
  /** Those before, each until its receivers must have been changed over; the oldest first. */
  former: z.array(z.object({ secret: z.string(), until: Instant })).default([]),
});
export type WebhookDetails = z.infer<typeof WebhookDetails>;

/** As they may be stored: earlier releases kept one former secret, valid until `formerUntil` of the event. */
export const StoredWebhookDetails = WebhookDetails.extend({ formerSecret: z.string().nullish() });

/** What a receiver is sent. Fields may be added; none is renamed or removed. */
export const WebhookMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("link.first_opened"), timestamp: Instant, data: FirstOpen }),
  z.object({ type: z.literal("webhook.test"), timestamp: Instant, data: z.object({}) }),
]);
export type WebhookMessage = z.infer<typeof WebhookMessage>;
