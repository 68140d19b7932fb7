import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import { internalAccountCalls } from "@pro-talent/schemas/accounts/internal-calls";
import type { z } from "zod";

const contactCall = "GET /internal/accounts/:accountId/contact";
export type Contact = z.output<(typeof internalAccountCalls)[typeof contactCall]["answer"]>;
/**
 * How an account holder is addressed: asked when it is needed, never stored here.
 * @returns undefined when the account is gone @throws when the accounts service does not answer
 */
export type ContactOf = (accountId: string) => Promise<Contact | undefined>;

/** Asks the accounts service. */
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

/** @throws ServiceRefusal when the account is gone; when the accounts service does not answer */
export type EmailOf = (accountId: string) => Promise<string>;

/** Asks the accounts service for the address alone. */
export function emailsOver(accounts: ServiceAddress): EmailOf {
  const call = callService(accounts, internalAccountCalls);
  return async (accountId) => (await call(contactCall, { params: { accountId } })).email;
}
