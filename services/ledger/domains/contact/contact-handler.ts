import type { ContactCommand } from "@pro-talent/schemas/contact/commands";
import type { ContactEvent } from "@pro-talent/schemas/contact/events";

import type { OutboxMessage } from "../event-store/append.ts";
import type { CommandHandler } from "../event-store/handle-command.ts";
import { contactEvents, messageOf } from "./contact-events.ts";
import { contactDecider, type ContactRefusalCode, type ContactState } from "./decider.ts";

/** What the commands on a message lead to: mails, and in the end the erasure of the letter. */
export const contactHandler: CommandHandler<
  ContactState,
  ContactCommand,
  ContactEvent,
  ContactRefusalCode
> = {
  decider: contactDecider,
  family: contactEvents,
  inline: [],
  reply: ({ status }) => ({ status }),
  effects: ({ stream, events }) => ({
    messages: events.flatMap((event) => messagesOf(messageOf(stream), event)),
  }),
};

function messagesOf(messageId: string, { type, data }: ContactEvent): OutboxMessage[] {
  const payload = { messageId };
  if (type === "ContactMatterSettled") return [{ name: "contact.erase-letter", payload }];
  const support = { name: "contact.notify-support", payload };
  return data.acknowledged ? [support, { name: "contact.acknowledge", payload }] : [support];
}
