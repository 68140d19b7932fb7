import { isDeepStrictEqual } from "node:util";

import type { SubjectCategory } from "@pro-talent/schemas/contact/categories";
import type { ContactDetails } from "@pro-talent/schemas/contact/events";
import { instantPlus } from "@pro-talent/schemas/primitives/instant";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { v5 as uuidV5 } from "uuid";

import { waitForDisk } from "../../kernel/append.ts";
import {
  type CommandAnswer,
  type CommandContext,
  type CommandResult,
  runCommand,
} from "../../kernel/commands.ts";
import { loadStream } from "../../kernel/streams.ts";
import { refuse } from "../../kernel/types.ts";
import {
  contactEvents,
  contactMessages,
  contactSender,
  type ContactStores,
  openContactMessage,
} from "./contact-messages.ts";
import type { ContactRefusalCode } from "./decider.ts";
import { newReference } from "./reference.ts";

export type NewMessage = {
  /** Made by the sender's browser, once per message; a repetition is recognised by it. */
  readonly commandId: string;
  readonly category: SubjectCategory;
  readonly language: Locale;
  readonly suspected: boolean;
  readonly details: ContactDetails;
};

type Result = CommandResult<ContactRefusalCode>;

/** Namespace of message ids: drawn at random once, fixed for ever. */
const messageNamespace = "5a0c9d0e-3f3b-4c55-9b39-0f2d1c8e7a64";
const dayMs = 24 * 60 * 60 * 1000;

/** Stores a contact message, sealed, with the mails that follow. The reply is a ContactAnswer. */
export async function sendContactMessage(
  stores: ContactStores,
  message: NewMessage,
  context: CommandContext,
): Promise<Result> {
  const { commandId } = message;
  const { sql } = stores.ledger;
  const messageId = uuidV5(commandId, messageNamespace);
  const stream = contactEvents.streamOf(messageId);
  const known = await loadStream(sql, contactEvents, stream, commandId);
  const result =
    known.answered === undefined
      ? await record(stores, { ...message, messageId }, context)
      : repeated(known.version, known.answered.reply);
  // What is repeated may have been answered to another request a moment ago.
  if (known.answered !== undefined) await waitForDisk(sql);
  return result.kind === "answer" && result.how === "replayed"
    ? await unlessChanged(stores, { ...message, messageId }, result)
    : result;
}

function repeated(version: number, reply: string): Result {
  // Answered before, but not as a message: the id belongs to a command of another kind.
  if (version === 0) return refuse("command_mismatch");
  return { kind: "answer", how: "replayed", reply };
}

/**
 * The sender's data subject is made before the earlier ones are counted: of messages that arrive at
 * the same moment each sees those before it, so that no more than the limit are acknowledged.
 */
async function record(
  { ledger, subjects }: ContactStores,
  message: NewMessage & { messageId: string },
  { now, cause }: CommandContext,
): Promise<Result> {
  const { messageId, commandId, category, language, suspected, details } = message;
  const subject = await subjects.ofOccasion(contactSender, messageId, details.email);
  const since = instantPlus(now, -dayMs);
  const senders = await subjects.countSince(contactSender, details.email, since);
  return runCommand(ledger, contactMessages, {
    id: messageId,
    commandId,
    // Nothing of the details, not even their hash: that would outlive their erasure.
    body: { type: "SendContactMessage", messageId },
    command: {
      type: "SendContactMessage",
      reference: newReference(),
      category,
      language,
      suspected,
      recentAcknowledgements: Math.max(0, senders - 1),
    },
    sealed: { type: "ContactMessageReceived", ...subject.seal(details) },
    now,
    cause,
  });
}

/** A repetition is answered as before; another message under the same id must not pass as stored. */
async function unlessChanged(
  stores: ContactStores,
  { messageId, details }: NewMessage & { messageId: string },
  answer: CommandAnswer,
): Promise<Result> {
  const stored = await openContactMessage(stores, messageId);
  const same = stored === undefined || isDeepStrictEqual(stored.details, details);
  return same ? answer : refuse("command_mismatch");
}
