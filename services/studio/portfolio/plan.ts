import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalBillingCalls } from "@pro-talent/schemas/billing/calls";
import { internalPortfolioReportCalls } from "@pro-talent/schemas/portfolios/calls";
import type { Portfolio } from "@pro-talent/schemas/studio/portfolio-calls";

/** What an account may do with its portfolio. */
export type Plan = Pick<Portfolio, "mayPublish" | "mayCustomize" | "takenDown">;

/** @throws when the ledger does not answer */
export type PlanOf = (accountId: string) => Promise<Plan>;

/** Asks the ledger, which knows plans and what was taken down. */
export function plansOver(ledger: ServiceAddress): PlanOf {
  const billing = callService(ledger, internalBillingCalls);
  const reports = callService(ledger, internalPortfolioReportCalls);
  return async (accountId) => {
    const asked = { params: { accountId } };
    const [{ entitlements, restricted }, { takenDown }] = await Promise.all([
      billing("GET /internal/entitlements/:accountId", asked),
      reports("GET /internal/portfolios/:accountId", asked),
    ]);
    return {
      mayPublish: !restricted && entitlements.includes("publish-portfolio"),
      mayCustomize: !restricted && entitlements.includes("customize-portfolio"),
      takenDown,
    };
  };
}
