import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { z } from "zod";

const contactCall = "GET /internal/accounts/:accountId/contact";
export type Contact = z.output<(typeof internalAccountCalls)[typeof contactCall]["answer"]>;

/** How account holders are addressed: asked when something is sent, never stored here. */
export type Contacts = {
  /** @returns undefined when the account is gone @throws when the accounts service does not answer */
  readonly find: (accountId: string) => Promise<Contact | undefined>;
};

/** Asks the accounts service. */
export function contactsOver(accounts: ServiceAddress): Contacts {
  const call = callService(accounts, internalAccountCalls);
  return {
    find: async (accountId) => {
      try {
        return await call(contactCall, { params: { accountId } });
      } catch (error) {
        if (error instanceof ServiceRefusal && error.code === "not_found") return undefined;
        throw error;
      }
    },
  };
}
