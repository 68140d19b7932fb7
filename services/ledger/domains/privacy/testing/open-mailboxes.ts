import { randomUUID } from "node:crypto";

import type { AddressedPerson, HeldSource } from "../../../held.ts";
import type { Addressed, Eraser } from "../../../kernel/erasers.ts";
import { formSenders } from "./form-sender.ts";
import { openPrivacy } from "./open-privacy.ts";

/** The public form over a newsletter that is played by a set of addresses, and accounts by their addresses. */
export async function openMailboxes() {
  const subscribed = new Set<string>();
  const accounts = new Map<string, string>();
  const newsletter: HeldSource<AddressedPerson> = {
    section: "newsletter",
    collect: async (_context, { email }) => {
      const address = (await email()) ?? "";
      return subscribed.has(address) ? [[{ field: "email", text: address }]] : [];
    },
  };
  const unsubscribes: Eraser<Addressed> = {
    step: "newsletter",
    erase: async (_context, { email }) => ({
      found: subscribed.delete(email ?? "") ? 1 : 0,
      left: 0,
    }),
  };
  const privacy = await openPrivacy({
    mailboxHeld: [newsletter],
    mailboxErasers: [unsubscribes],
    accountOf: async (email) => accounts.get(email) ?? null,
  });
  return {
    ...privacy,
    senders: formSenders(privacy),
    subscribed,
    accounts,
    newAddress: (known: boolean): string => {
      const email = `${randomUUID()}@example.com`;
      if (known) subscribed.add(email);
      return email;
    },
  };
}
