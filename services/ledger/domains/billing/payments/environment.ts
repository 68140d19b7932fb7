import { internalToken, parseEnv } from "@pro-talent/platform/config/define-env";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import type { PaymentProvider } from "./port.ts";
import { sandboxPayments } from "./sandbox.ts";

/** Which provider takes payments; in production, only one that moves money. */
const choice = {
  PAYMENTS: z.enum(["sandbox", "stripe"]).default("sandbox"),
  NODE_ENV: z.string().default(""),
};
const sandboxEnv = {
  /** Where the sandbox answers. */
  PAYMENTS_URL: z.url({ protocol: /^https?$/ }),
  PAYMENTS_KEY: internalToken,
  PAYMENTS_WEBHOOK_SECRET: internalToken,
  /** How long an answer of the sandbox may take: drills, whose sandbox loses answers, wait shorter. */
  PAYMENTS_ANSWER_MS: z.coerce.number().int().min(100).default(15_000),
};
const stripeEnv = {
  /** Starts with `sk_test_` or `sk_live_` (`rk_` when restricted). */
  STRIPE_SECRET_KEY: z.string().regex(/^[sr]k_(?:test|live)_\w+$/),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_\w+$/),
};

type Source = Readonly<Record<string, string | undefined>>;

/** The name of the configured provider. */
export const chosenProvider = (source: Source): PaymentProvider["name"] =>
  parseEnv(choice, source).PAYMENTS;

/**
 * Opens the configured provider.
 * @throws OperatorError when its variables are missing, or the sandbox is configured in production
 */
export async function openPayments(
  source: Source,
  { clock, publicOrigin }: { readonly clock: Clock; readonly publicOrigin: string },
): Promise<PaymentProvider> {
  const { PAYMENTS: name, NODE_ENV: mode } = parseEnv(choice, source);
  if (name === "stripe") {
    const env = parseEnv(stripeEnv, source);
    // Two hundred modules, which the processes of other installations do not load.
    const { stripePayments } = await import("./stripe.ts");
    return stripePayments({
      secretKey: env.STRIPE_SECRET_KEY,
      webhookSecret: env.STRIPE_WEBHOOK_SECRET,
      returnUrl: `${publicOrigin}/account/subscription`,
      clock,
    });
  }
  if (mode === "production") {
    throw new OperatorError("PAYMENTS=sandbox moves no money: production needs PAYMENTS=stripe.");
  }
  const env = parseEnv(sandboxEnv, source);
  return sandboxPayments({
    url: env.PAYMENTS_URL,
    key: env.PAYMENTS_KEY,
    webhookSecret: env.PAYMENTS_WEBHOOK_SECRET,
    answerWithinMs: env.PAYMENTS_ANSWER_MS,
  });
}
