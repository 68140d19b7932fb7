import { refuseAge } from "@pro-talent/platform/crypto/webhook-signature";
import Stripe from "stripe";
import { z } from "zod";

import type { HintRefusal, ProviderHint } from "./port.ts";

const IdOrObject = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish();
const StripeEvent = z.object({
  id: z.string(),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({ id: z.string(), object: z.string(), payment_intent: IdOrObject }),
  }),
});

/** The package checks the signature; it accepts any time in the future, so that age is checked here. */
export function readStripeHint(
  webhooks: Stripe["webhooks"],
  { webhookSecret, secretKey }: { webhookSecret: string; secretKey: string },
  {
    signature,
    body,
    nowMs,
  }: { signature?: string | string[] | undefined; body: Buffer; nowMs: number },
): ProviderHint | HintRefusal {
  if (typeof signature !== "string") return "signature";
  const json = verified(() => webhooks.constructEvent(body, signature, webhookSecret, 0));
  if (json === "signature" || json === "malformed") return json;
  const age = refuseAge(Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]), nowMs);
  if (age !== undefined) return age;
  const event = StripeEvent.safeParse(json);
  if (!event.success) return "malformed";
  const { id: eventId, livemode, data } = event.data;
  if (livemode !== /^[sr]k_live_/.test(secretKey)) return "environment";
  const { id, object, payment_intent: paymentId } = data.object;
  if (object === "checkout.session") {
    return { eventId, about: { kind: "checkout", checkoutId: id } };
  }
  if (object === "payment_intent") return { eventId, about: { kind: "payment", paymentId: id } };
  if (typeof paymentId === "string") return { eventId, about: { kind: "payment", paymentId } };
  return { eventId, about: { kind: "other" } };
}

function verified(construct: () => unknown): unknown {
  try {
    return construct();
  } catch (error) {
    const isSignature = error instanceof Stripe.errors.StripeSignatureVerificationError;
    return isSignature ? "signature" : "malformed";
  }
}
