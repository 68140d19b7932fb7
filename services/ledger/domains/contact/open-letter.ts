import { ContactLetter } from "@pro-talent/schemas/contact/events";

import type { EventStore } from "../event-store/event-store.ts";
import { readSealed } from "../event-store/read-sealed.ts";
import { loadStream } from "../event-store/read-stream.ts";
import type { Subjects } from "../subjects/subjects.ts";
import { contactEvents, contactStream } from "./contact-events.ts";
import type { ReceivedMessage } from "./mails/received-message.ts";

/** Where messages are kept. */
export type ContactStores = { readonly store: EventStore; readonly subjects: Subjects };

/**
 * A message with its letter; undefined when the letter was erased.
 * @throws Error when there is no such message; SealBroken
 */
export async function openLetter(
  { store, subjects }: ContactStores,
  messageId: string,
): Promise<ReceivedMessage | undefined> {
  const stream = contactStream(messageId);
  const [received] = (await loadStream(store, contactEvents, stream)).events;
  if (received?.event.type !== "ContactMessageReceived")
    throw new Error("There is no message with this id");
  const sealed = await readSealed(store, stream, received.event.type);
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  if (sealed === undefined || subject === undefined) return undefined;
  return {
    messageId,
    receivedAt: received.recordedAt,
    fact: received.event.data,
    letter: subject.open(sealed.bytes, ContactLetter),
  };
}
