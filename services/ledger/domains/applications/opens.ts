import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** How often persons opened a link. */
export type LinkOpens = { readonly opens: number; readonly lastAt: Instant };

/**
 * How often persons opened each link of an account in a span, by the ids of those that were opened.
 * @throws when the insights service does not answer
 */
export type OpensOf = (
  accountId: string,
  from: Instant,
  until: Instant,
) => Promise<ReadonlyMap<string, LinkOpens>>;

/** Asks the insights service. */
export function opensOver(insights: ServiceAddress): OpensOf {
  const call = callService(insights, internalInsightCalls);
  return async (accountId, from, until) => {
    const body = { accountId, from, until };
    const { links } = await call("POST /internal/insights/opens", { body });
    const opened = links.filter(({ opens }) => opens > 0);
    return new Map(opened.map(({ linkId, opens, lastAt }) => [linkId, { opens, lastAt }]));
  };
}
