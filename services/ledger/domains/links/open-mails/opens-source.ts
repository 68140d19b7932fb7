import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import type { LinkOpens } from "@pro-talent/schemas/links/mail-events";
import type { FirstOpen } from "@pro-talent/schemas/links/webhook-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** What mails ask of the insights service; each throws when it does not answer. */
export type OpensSource = {
  /** Links of all accounts that persons opened in a span. */
  readonly opened: (
    from: Instant,
    until: Instant,
  ) => Promise<readonly { readonly accountId: string; readonly linkId: string }[]>;
  /** Links of an account that were first opened at or after an instant. */
  readonly firstOpens: (accountId: string, since: Instant) => Promise<readonly FirstOpen[]>;
  /** How often persons opened each link of an account in a span. */
  readonly opens: (
    accountId: string,
    from: Instant,
    until: Instant,
  ) => Promise<readonly LinkOpens[]>;
};

/** Asks the insights service. */
export function opensOver(insights: ServiceAddress): OpensSource {
  const call = callService(insights, internalInsightCalls);
  return {
    opened: async (from, until) =>
      (await call("POST /internal/insights/opened", { body: { from, until } })).links,
    firstOpens: async (accountId, since) =>
      (await call("POST /internal/insights/first-opens", { body: { accountId, since } })).opens,
    opens: async (accountId, from, until) => {
      const body = { accountId, from, until };
      const { links } = await call("POST /internal/insights/opens", { body });
      return links
        .filter(({ opens }) => opens > 0)
        .map(({ linkId, opens, firstAt }) => ({ linkId, opens, firstAt }));
    },
  };
}
