import { ContactEvent } from "@pro-talent/schemas/contact/events";

import type { EventFamily } from "../event-store/event-registry.ts";

const category = "contact";

/** Every event of a contact stream, all in their first version. */
export const contactEvents: EventFamily<ContactEvent> = {
  category,
  contract: ContactEvent,
  upcasts: { ContactMessageReceived: [], ContactMatterSettled: [] },
};

/** The stream of one message. */
export function contactStream(messageId: string): string {
  return `${category}-${messageId.toLowerCase()}`;
}

/** The message whose stream this is; also the id of the subject under whose key it is sealed. */
export function messageOf(stream: string): string {
  return stream.slice(category.length + 1);
}
