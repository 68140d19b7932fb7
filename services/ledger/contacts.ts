import {
  callService,
  type ServiceAddress,
  ServiceRefusal,
} from "@pro-talent/platform/http/service-client";
import {
  internalAccountCalls,
  internalLookupCalls,
} from "@pro-talent/schemas/accounts/internal-calls";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import type { z } from "zod";

import type { Cause } from "./kernel/types.ts";

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

/** The account of an address; null when there is none. */
export type AccountOf = (email: string) => Promise<string | null>;

/** Asks the accounts service. */
export function accountOfOver(accounts: ServiceAddress): AccountOf {
  const call = callService(accounts, internalLookupCalls);
  return async (email) =>
    (await call("POST /internal/accounts/lookup", { body: { email } })).accountId;
}

/** How a subscriber of the newsletter is addressed, with the page that ends the subscription. */
export type SubscriberContact = {
  readonly email: string;
  readonly language: Locale;
  readonly manageUrl: string;
  /** Comes back with a complaint. */
  readonly feedbackId: string;
};

/** Subscribers for mails that a duty demands, beside the newsletter. */
export type SubscriberContacts = {
  /**
   * `gone`: erased, or left. `do-not-mail`: the mailbox is on that list. `restricted`: the deletion of their
   * account is scheduled, which may be cancelled. `unreachable`: not confirmed now, or the mailbox refused.
   */
  readonly contactOf: (
    subscriberId: string,
  ) => Promise<SubscriberContact | "gone" | "do-not-mail" | "restricted" | "unreachable">;
  /** The mailbox refused the mail permanently. May be repeated. */
  readonly recordRefusal: (subscriberId: string, cause: Cause) => Promise<void>;
};
