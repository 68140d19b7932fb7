import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/internal-calls";
import { internalInsightCalls } from "@pro-talent/schemas/insights/calls";
import type { LinkOpens } from "@pro-talent/schemas/links/mail-events";
import type { FirstOpen } from "@pro-talent/schemas/links/webhook-events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { z } from "zod";

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

const contactCall = "GET /internal/accounts/:accountId/contact";
export type Contact = z.output<(typeof internalAccountCalls)[typeof contactCall]["answer"]>;
/** @returns undefined when the account is gone @throws when the accounts service does not answer */
export type ContactOf = (accountId: string) => Promise<Contact | undefined>;

/** Asks the accounts service: addresses are never stored here. */
export function contactsOver(accounts: ServiceAddress): ContactOf {
  const call = callService(accounts, internalAccountCalls);
  return async (accountId) => {
    try {
      return await call(contactCall, { params: { accountId } });
    } catch (error) {
      if (error instanceof ServiceRefusal && error.code === "not_found") return undefined;
      throw error;
    }
  };
}
