import type { ContactLetter, ContactMessageReceived } from "@pro-talent/schemas/contact/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

/** A message as its mails tell of it: the fact, and the letter that was sealed. */
export type ReceivedMessage = {
  readonly messageId: string;
  readonly receivedAt: Instant;
  readonly fact: ContactMessageReceived["data"];
  readonly letter: ContactLetter;
};
