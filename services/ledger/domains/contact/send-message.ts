import { isDeepStrictEqual } from "node:util";

import type { SubjectCategory } from "@pro-talent/schemas/contact/categories";
import type { ContactLetter } from "@pro-talent/schemas/contact/events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { v5 as uuidV5 } from "uuid";

import {
  type CommandAnswer,
  handleCommand,
  type StoreRefusalCode,
} from "../event-store/handle-command.ts";
import { loadStream } from "../event-store/read-stream.ts";
import { type Refusal, refuse } from "../event-store/types.ts";
import { waitForDisk } from "../event-store/wait-for-disk.ts";
import { contactEvents, contactStream } from "./contact-events.ts";
import { contactHandler } from "./contact-handler.ts";
import type { ContactRefusalCode } from "./decider.ts";
import { type ContactStores, openLetter } from "./open-letter.ts";
import { newReference } from "./reference.ts";

export type NewMessage = {
  /** Made by the writer's browser, once per message; a repetition is recognised by it. */
  readonly commandId: string;
  readonly category: SubjectCategory;
  readonly language: Locale;
  readonly suspected: boolean;
  readonly letter: ContactLetter;
};

type Outcome = CommandAnswer | Refusal<ContactRefusalCode | StoreRefusalCode>;

/** Namespace of message ids: drawn at random once, fixed for ever. */
const messageNamespace = "5a0c9d0e-3f3b-4c55-9b39-0f2d1c8e7a64";
const dayMs = 24 * 60 * 60 * 1000;

/** Keeps a message, sealed, and sees to the mails that follow. The reply is a ContactAnswer. */
export async function sendMessage(
  stores: ContactStores,
  message: NewMessage,
  now: Instant,
): Promise<Outcome> {
  const messageId = uuidV5(message.commandId, messageNamespace);
  const known = await loadStream(
    stores.store,
    contactEvents,
    contactStream(messageId),
    message.commandId,
  );
  const outcome =
    known.answered === undefined
      ? await record(stores, { ...message, messageId }, now)
      : repeated(known.version, known.answered.reply);
  // What is repeated may have been answered to somebody else a moment ago.
  if (known.answered !== undefined) await waitForDisk(stores.store);
  return outcome.kind === "answer" && outcome.how === "replayed"
    ? await unlessChanged(stores, { ...message, messageId }, outcome)
    : outcome;
}

function repeated(version: number, reply: string): Outcome {
  // Answered before, but not as a message: the id belongs to a command of another kind.
  if (version === 0) return refuse("command_mismatch");
  return { kind: "answer", how: "replayed", reply };
}

/**
 * The writer's subject is made before the earlier ones are counted: of messages that arrive at the
 * same moment each sees those that were first, so that no more than the limit are acknowledged.
 */
async function record(
  { store, subjects }: ContactStores,
  message: NewMessage & { messageId: string },
  now: Instant,
): Promise<Outcome> {
  const { messageId, commandId, category, language, suspected, letter } = message;
  const subject = await subjects.newSender(messageId, letter.email);
  const since = instantFromMs(Date.parse(now) - dayMs);
  const senders = await subjects.sendersSince(letter.email, since);
  return handleCommand(store, contactHandler, {
    commandId,
    stream: contactStream(messageId),
    // Nothing of the letter, not even its hash: that would outlive the letter's erasure.
    body: { type: "SendContactMessage", messageId },
    command: {
      type: "SendContactMessage",
      reference: newReference(),
      category,
      language,
      suspected,
      recentAcknowledgements: Math.max(0, senders - 1),
    },
    sealed: { type: "ContactMessageReceived", ...subject.seal(letter) },
    now,
  });
}

/** A repetition is answered as before; another letter under the same id must not pass as kept. */
async function unlessChanged(
  stores: ContactStores,
  { messageId, letter }: NewMessage & { messageId: string },
  answer: CommandAnswer,
): Promise<Outcome> {
  const kept = await openLetter(stores, messageId);
  const same = kept === undefined || isDeepStrictEqual(kept.letter, letter);
  return same ? answer : refuse("command_mismatch");
}
