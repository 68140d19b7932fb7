import { z } from "zod";

import { MailBounced, PreferencesChanged, SubscriptionRequested, Unsubscribed } from "./events.ts";

/** Somebody asks to be written to; the address travels beside the command, sealed. */
export const RequestSubscription = SubscriptionRequested.shape.data
  .omit({ mail: true, requestedAt: true, confirmBy: true })
  .extend({ type: z.literal("RequestSubscription") });
export type RequestSubscription = z.infer<typeof RequestSubscription>;

/** The holder of a confirmation mail, which has lapsed perhaps, asks for another one. */
export const ResendConfirmation = z.object({ type: z.literal("ResendConfirmation") });

/** The link of a mail was followed and its button pressed. */
export const ConfirmSubscription = z.object({
  type: z.literal("ConfirmSubscription"),
  mail: z.number().int().positive(),
});

export const ChangePreferences = PreferencesChanged.shape.data.extend({
  type: z.literal("ChangePreferences"),
});

export const Unsubscribe = Unsubscribed.shape.data.extend({ type: z.literal("Unsubscribe") });

/** A mail server did not take a mail. */
export const RecordBounce = MailBounced.shape.data.extend({ type: z.literal("RecordBounce") });

/** A mail provider reports that the reader called a mail unwanted. */
export const RecordComplaint = z.object({ type: z.literal("RecordComplaint") });

/** The time to confirm is over for good. */
export const EraseUnconfirmed = z.object({ type: z.literal("EraseUnconfirmed") });

/** Nobody is written to any more, so the address has no purpose. */
export const EraseDeparted = z.object({ type: z.literal("EraseDeparted") });

export const NewsletterCommand = z.discriminatedUnion("type", [
  RequestSubscription,
  ResendConfirmation,
  ConfirmSubscription,
  ChangePreferences,
  Unsubscribe,
  RecordBounce,
  RecordComplaint,
  EraseUnconfirmed,
  EraseDeparted,
]);
export type NewsletterCommand = z.infer<typeof NewsletterCommand>;
