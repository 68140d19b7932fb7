import { MailRefused } from "@pro-talent/platform/mail/mailer";
import { ReaderMessage, ReaderMessageEvent } from "@pro-talent/schemas/portfolios/events";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { ContactOf } from "../../../contacts.ts";
import {
  type CommandContext,
  type CommandResult,
  runCommand,
  type StreamDefinition,
} from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import type { LedgerContext, WorkerContext } from "../../../kernel/module.ts";
import type { MessageHandlers } from "../../../kernel/outbox.ts";
import { column, readModel } from "../../../kernel/read-model.ts";
import { loadState, readSealed } from "../../../kernel/streams.ts";
import type { SubjectKind } from "../../../kernel/subjects.ts";
import type { TimerHandlers } from "../../../kernel/timers.ts";
import { isRestricted } from "../../../restriction.ts";
import { serviceCause } from "../open-mails/open-mails.ts";
import {
  type ReaderMessageCommand,
  readerMessageDecider,
  type ReaderMessageState,
} from "./decider.ts";
import { readerMessageMail } from "./mail.ts";

export const readerMessageEvents = defineEvents("readermessage", ReaderMessageEvent);
/** Each message has a data subject of its own, so that it is erased alone. */
export const readerMessageSender: SubjectKind = "portfolios.reader";

const deliverMessage = "portfolios.deliver-message";
const destroyTimer = "portfolios.destroy-message";
const expireTimer = "portfolios.expire-message";
const weekMs = 7 * 24 * 60 * 60_000;

export const readerMessages: StreamDefinition<
  ReaderMessageState,
  ReaderMessageCommand,
  ReaderMessageEvent,
  "message_sent"
> = {
  events: readerMessageEvents,
  decider: readerMessageDecider,
  durableWith: "each append",
  reply: ({ status }) => ({ status }),
  timers: (state) => {
    if (state.status === "none") return [];
    return state.status === "sent"
      ? [{ name: expireTimer, dueAt: instantPlus(state.at, weekMs) }]
      : [{ name: destroyTimer, dueAt: state.at }];
  },
  erasure: { events: ["ReaderMessageErased"], timers: [expireTimer] },
  effects: ({ id, events }) => ({
    messages: events.flatMap(({ type }) =>
      type === "ReaderMessageSent" ? [{ name: deliverMessage, payload: { messageId: id } }] : [],
    ),
  }),
};

/** Messages whose words are kept still. */
export const readerMessageRows = readModel({
  table: "reader_message",
  version: 1,
  mode: "inline",
  purpose: "Finds the messages to an account that are to be erased with it",
  retention: "Until the message is delivered, at most a week",
  events: readerMessageEvents,
  key: { message_id: column.uuid("pseudonym", "Names the message and its data subject") },
  columns: { account_id: column.uuid("pseudonym", "Names the owner of the portfolio") },
  evolve: (row, { event }) =>
    event.type === "ReaderMessageSent" ? { account_id: event.data.accountId } : row && null,
  indexes: [{ on: "(account_id)" }],
});

type Sending = {
  readonly messageId: string;
  readonly accountId: string;
  readonly language: "en" | "he";
  readonly words: ReaderMessage;
};

/** Stores a message, sealed, with its mail to the owner of the portfolio. A repetition is answered as before. */
export async function sendReaderMessage(
  { ledger, subjects }: Pick<LedgerContext, "ledger" | "subjects">,
  { messageId, accountId, language, words }: Sending,
  { now, cause }: CommandContext,
): Promise<CommandResult<"message_sent">> {
  const subject = await subjects.ofOccasion(readerMessageSender, messageId, words.email);
  return await runCommand(ledger, readerMessages, {
    id: messageId,
    commandId: messageId,
    // Nothing of the words, not even their hash: that would outlive them.
    body: { type: "SendReaderMessage", messageId },
    command: { type: "SendReaderMessage", accountId, language },
    sealed: { type: "ReaderMessageSent", ...subject.seal(words) },
    now,
    cause,
  });
}

type Erasing = Pick<WorkerContext, "ledger" | "subjects">;
type Reason = Extract<ReaderMessageCommand, { type: "EraseReaderMessage" }>["reason"];

/** The fact comes first, then the key; after a crash between the two the timer of the fact destroys it. */
export async function eraseReaderMessage(
  { ledger, subjects }: Erasing,
  id: string,
  reason: Reason,
  context: CommandContext,
): Promise<void> {
  const command = { type: "EraseReaderMessage", reason } as const;
  await runCommand(ledger, readerMessages, { id, command, body: command, ...context });
  await subjects.shred(id);
}

const Payload = z.object({ messageId: Uuid });

/** Mails each message to the owner of the portfolio, and erases it then. */
export function readerMessageHandlers(
  context: WorkerContext,
  contactOf: ContactOf,
): MessageHandlers {
  return {
    [deliverMessage]: async (payload) => {
      const { messageId } = Payload.parse(payload);
      const reason = await deliver(context, contactOf, messageId);
      if (reason === undefined) return;
      const now = instantFromMs(context.clock());
      await eraseReaderMessage(context, messageId, reason, serviceCause(now));
    },
  };
}

/** @returns why its words are not needed any more */
async function deliver(
  { ledger: { sql }, subjects, mailer, mailboxes, publicOrigin }: WorkerContext,
  contactOf: ContactOf,
  messageId: string,
): Promise<Reason | undefined> {
  const { state } = await loadState(sql, readerMessages, messageId);
  if (state.status !== "sent") return undefined;
  const stream = readerMessageEvents.streamOf(messageId);
  const sealed = await readSealed(sql, stream, "ReaderMessageSent");
  const subject = sealed && (await subjects.find(sealed.keyId));
  const contact = await contactOf(state.accountId);
  if (sealed === undefined || subject === undefined || contact === undefined)
    return "account-closed";
  if (await isRestricted(sql, state.accountId)) return "undeliverable";
  if ((await mailboxes.admit(contact.email, undefined)) !== "admitted") return "undeliverable";
  const words = subject.open(sealed.bytes, ReaderMessage);
  const mail = readerMessageMail({
    messageId,
    contact,
    words,
    origin: publicOrigin,
    feedbackId: mailboxes.feedbackIdOf(contact.email),
  });
  try {
    await mailer.send(mail);
    return "delivered";
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return "undeliverable";
  }
}

/** The end of a message that was not delivered, and of its key. */
export const readerMessageTimers = (context: Erasing): TimerHandlers => ({
  [expireTimer]: (id, issued) => eraseReaderMessage(context, id, "overdue", issued),
  [destroyTimer]: (id) => context.subjects.shred(id),
});
