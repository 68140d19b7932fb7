import { randomUUID } from "node:crypto";

import type { ContactDetails } from "@pro-talent/schemas/contact/events";

import type { NewMessage } from "../send-contact-message.ts";

/** What a visitor enters in the form, unless changed. */
export function entered(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    name: "Noa Levi",
    email: "noa.levi@example.com",
    subject: "bug",
    subjectCategory: "bug",
    message: "The download button does nothing in my browser.",
    sessionId: null,
    ...change,
  };
}

/** An address that no other message of the test file has. */
export function newAddress(): string {
  return `sender-${randomUUID()}@example.com`;
}

/** The personal part of a message, unless changed. */
export function contactDetails(change: Partial<ContactDetails> = {}): ContactDetails {
  return {
    name: "Noa Levi",
    email: "noa@example.com",
    subject: "bug",
    message: "The button does nothing.\nReally nothing.",
    sessionId: "sealed-visit-session",
    ...change,
  };
}

/** A message under a command id of its own, as the form sends it unless changed. */
export function newMessage(
  details: Partial<ContactDetails> = {},
  change: Partial<NewMessage> = {},
): NewMessage {
  return {
    commandId: randomUUID(),
    category: "bug",
    language: "en",
    suspected: false,
    details: contactDetails(details),
    ...change,
  };
}
