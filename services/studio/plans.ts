import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalBillingCalls } from "@pro-talent/schemas/billing/calls";
import type { Entitlement } from "@pro-talent/schemas/subscription/entitlements";

/**
 * How an account gets files of its CVs: `automatic`: current ones are kept; `manual`: each is made when it is asked
 * for; `restricted`: the account is to be deleted, nothing of it is used.
 */
export type Delivery = "automatic" | "manual" | "restricted";

/** @throws when the ledger does not answer */
export type DeliveryOf = (accountId: string) => Promise<Delivery>;

const automatic: Entitlement = "receive-cv-automatically";

/** Asks the ledger, which knows plans. */
export function deliveryOver(ledger: ServiceAddress): DeliveryOf {
  const call = callService(ledger, internalBillingCalls);
  return async (accountId) => {
    const { entitlements, restricted } = await call("GET /internal/entitlements/:accountId", {
      params: { accountId },
    });
    if (restricted) return "restricted";
    return entitlements.includes(automatic) ? "automatic" : "manual";
  };
}
