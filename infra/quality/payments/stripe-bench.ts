import { stripePayments } from "@pro-talent/ledger/domains/billing/payments/stripe";
import {
  type OnAnswer,
  startStripeServer,
} from "@pro-talent/ledger/domains/billing/payments/testing/stripe-server";

import type { ProviderBench } from "./provider-bench.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";

const webhookSecret = "whsec_test_0123456789abcdef";
const disputeStatuses = {
  inquiry: "warning_needs_response",
  open: "needs_response",
  won: "won",
  lost: "lost",
} as const;

export type StripeBench = ProviderBench & {
  /** The next request is answered with this status and no effect. */
  readonly failNext: (status: number) => void;
};

/**
 * Stripe's package against a server of our own, over HTTP.
 * @param onAnswer refuses what Stripe would not answer; closing then fails
 */
export async function startStripeBench(startMs: number, onAnswer?: OnAnswer): Promise<StripeBench> {
  const receiver = await startWebhookReceiver();
  let nowMs = startMs;
  const clock = (): number => nowMs;
  const wrong: unknown[] = [];
  const check: OnAnswer = (object) => {
    try {
      onAnswer?.(object);
    } catch (error) {
      wrong.push(error);
    }
  };
  const server = await startStripeServer({
    nowMs: clock,
    webhookUrl: receiver.url,
    webhookSecret,
    onAnswer: check,
  });
  const provider = stripePayments({
    secretKey: "sk_test_0123456789",
    webhookSecret,
    returnUrl: "https://pro-talent.example/account/subscription",
    clock,
    server: { host: "127.0.0.1", port: server.port, protocol: "http" },
  });
  return {
    provider,
    now: clock,
    advance: (ms) => {
      nowMs += ms;
    },
    press: async (checkoutId, card) => server.machine.press(checkoutId, card),
    answerChallenge: async (actionUrl, approved) => {
      server.machine.answerChallenge(actionUrl.split("/").at(-1) ?? "", approved);
    },
    dispute: async (paymentId, status) =>
      server.machine.dispute(paymentId, disputeStatuses[status]),
    loseNextAnswer: async () => server.loseNextAnswer(),
    failNext: server.failNext,
    arrived: receiver.arrived,
    holdHints: async () => server.hold(),
    releaseHintsReversedTwice: () => server.release({ reverse: true, copies: 2 }),
    webhookSecret,
    signatureHeader: "stripe-signature",
    close: async () => {
      await server.close();
      await receiver.close();
      if (wrong.length > 0) throw new AggregateError(wrong, String(wrong[0]));
    },
  };
}
