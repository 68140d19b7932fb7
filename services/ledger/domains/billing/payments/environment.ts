import { internalToken, parseEnv } from "@pro-talent/platform/config/define-env";
import { OperatorError } from "@pro-talent/platform/runtime/operator-error";
import { z } from "zod";

import type { PaymentProvider } from "./port.ts";
import { sandboxPayments } from "./sandbox.ts";

type Source = Readonly<Record<string, string | undefined>>;

/** Which provider takes payments, and whether this is production: there, only one that moves money. */
export const paymentsEnv = {
  PAYMENTS: z.enum(["sandbox"]).default("sandbox"),
  NODE_ENV: z.string().default(""),
};
const sandboxEnv = {
  PAYMENTS_URL: z.url({ protocol: /^https?$/ }),
  PAYMENTS_KEY: internalToken,
  PAYMENTS_WEBHOOK_SECRET: internalToken,
};

/**
 * Opens the configured provider.
 * @throws OperatorError when its variables are missing, or the sandbox is configured in production
 */
export function openPayments(source: Source): PaymentProvider {
  const { NODE_ENV: mode } = parseEnv(paymentsEnv, source);
  if (mode === "production") {
    throw new OperatorError("PAYMENTS=sandbox moves no money: production needs PAYMENTS=stripe.");
  }
  const env = parseEnv(sandboxEnv, source);
  return sandboxPayments({
    url: env.PAYMENTS_URL,
    key: env.PAYMENTS_KEY,
    webhookSecret: env.PAYMENTS_WEBHOOK_SECRET,
  });
}
