import type { Sql } from "@pro-talent/platform/postgres/pool";
import {
  ContactDetails,
  ContactEvent,
  type ContactMessageReceived,
} from "@pro-talent/schemas/contact/events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { HeldValue } from "@pro-talent/schemas/privacy/held-data";

import type { AddressedPerson, HeldSource } from "../../held.ts";
import type { OutboxMessage } from "../../kernel/append.ts";
import {
  type CommandContext,
  type CommandResult,
  type Ledger,
  runCommand,
  type StreamDefinition,
} from "../../kernel/commands.ts";
import { type Addressed, type Eraser, streamsOfPerson } from "../../kernel/erasers.ts";
import { defineEvents } from "../../kernel/events.ts";
import { reconcileStream } from "../../kernel/reconcile.ts";
import { streamKind } from "../../kernel/stream-kinds.ts";
import { loadStream, readSealed } from "../../kernel/streams.ts";
import type { SubjectKind, Subjects } from "../../kernel/subjects.ts";
import type { Timer } from "../../kernel/timers.ts";
import {
  type ContactCommand,
  contactDecider,
  type ContactRefusalCode,
  type ContactState,
  eraseAt,
  expireAt,
} from "./decider.ts";

/** The events of one contact message. */
export const contactEvents = defineEvents("contact", ContactEvent);

/** Each message has a data subject of its own, so that it can be erased alone. */
export const contactSender: SubjectKind = "contact.sender";

/** Timers of a contact message. */
export const eraseDetailsTimer = "contact.erase-details";
export const destroyKeyTimer = "contact.destroy-key";
export const expireMessageTimer = "contact.expire-message";

/** A message leads to mails; its timers, in the end, to the erasure of the personal details. */
export const contactMessages: StreamDefinition<
  ContactState,
  ContactCommand,
  ContactEvent,
  ContactRefusalCode
> = {
  events: contactEvents,
  decider: contactDecider,
  durableWith: "answer",
  reply: ({ status }) => ({ status }),
  timers,
  erasure: { events: ["ContactDetailsErased"], timers: [eraseDetailsTimer, expireMessageTimer] },
  effects: ({ id, events }) => ({ messages: events.flatMap((event) => messagesOf(id, event)) }),
  // Of versions in which the erasure was a message.
  otherMessages: ["contact.erase-details"],
};

/** Once the erasure is a fact, the key must be destroyed: by what recorded the fact, or by a timer. */
function timers(state: ContactState): readonly Timer[] {
  if (state.status === "none") return [];
  return [
    state.erasedAt === null
      ? { name: eraseDetailsTimer, dueAt: eraseAt(state) }
      : { name: destroyKeyTimer, dueAt: state.erasedAt },
    ...(state.expired ? [] : [{ name: expireMessageTimer, dueAt: expireAt(state) }]),
  ];
}

function messagesOf(messageId: string, { type, data }: ContactEvent): OutboxMessage[] {
  if (type !== "ContactMessageReceived") return [];
  const payload = { messageId };
  const support = { name: "contact.notify-support", payload };
  return data.acknowledged ? [support, { name: "contact.acknowledge", payload }] : [support];
}

/** A contact message as its mails show it: the recorded fact, and the details that were sealed. */
export type ReceivedMessage = {
  readonly messageId: string;
  readonly receivedAt: Instant;
  readonly fact: ContactMessageReceived["data"];
  readonly details: ContactDetails;
};

/** Where contact messages are stored. */
export type ContactStores = { readonly ledger: Ledger; readonly subjects: Subjects };

/**
 * A contact message with its details; undefined when they were erased.
 * @throws Error when there is no such message; SealBroken
 */
export async function openContactMessage(
  { ledger: { sql }, subjects }: ContactStores,
  messageId: string,
): Promise<ReceivedMessage | undefined> {
  const stream = contactEvents.streamOf(messageId);
  const [received] = (await loadStream(sql, contactEvents, stream)).events;
  if (received?.event.type !== "ContactMessageReceived") {
    throw new Error("There is no contact message with this id");
  }
  const sealed = await readSealed(sql, stream, received.event.type);
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  if (sealed === undefined || subject === undefined) return undefined;
  return {
    messageId,
    receivedAt: received.recordedAt,
    fact: received.event.data,
    details: subject.open(sealed.bytes, ContactDetails),
  };
}

/**
 * Records that support has settled the matter of a message; its details are erased by a timer. A
 * matter that is settled already stays as it is (`unchanged`).
 */
export function settleMatter(
  ledger: Ledger,
  messageId: string,
  context: CommandContext,
): Promise<CommandResult<ContactRefusalCode>> {
  return runCommand(ledger, contactMessages, {
    id: messageId,
    command: { type: "SettleContactMatter" },
    body: { type: "SettleContactMatter", messageId },
    ...context,
  });
}

/**
 * Sets the erasure of a message again where its timer is missing, or was fired without it. A matter that
 * was settled before must not stay unerased because that is so.
 */
export async function rearmErasure(sql: Sql, id: string): Promise<"due" | "rearmed" | "done"> {
  const kinds = [streamKind(contactMessages)];
  const { armed, rearmed, destroyed } = await reconcileStream(
    { sql, kinds },
    contactEvents.streamOf(id),
  );
  const [left] = await sql`select from ledger.subject where subject_id = ${id}`;
  if (left === undefined) return "done";
  return armed + rearmed + destroyed > 0 ? "rearmed" : "due";
}

/** The messages of a person that are not settled. */
export const contactHeld: HeldSource<AddressedPerson> = {
  section: "messages",
  collect: async function heldMessages(context, { email }) {
    const address = await email();
    const ids = address === null ? [] : await context.subjects.idsOfAddress(contactSender, address);
    const opened = await Promise.all(ids.map((id) => openContactMessage(context, id)));
    return opened.flatMap((message) => {
      if (message === undefined) return [];
      const { fact, receivedAt } = message;
      const { name, email: sender, subject, message: text, sessionId } = message.details;
      const visit: HeldValue[] = sessionId === null ? [] : [{ field: "visit", text: sessionId }];
      return [
        [
          { field: "full-name", text: name },
          { field: "email", text: sender },
          { field: "number", text: fact.reference },
          { field: "subject", text: subject },
          { field: "message", text },
          ...visit,
          { field: "created-at", at: receivedAt },
        ],
      ];
    });
  },
};

/** When operators read messages of a person; who they were is not the person's. */
export const operatorsHeld: HeldSource = {
  section: "operators",
  collect: async function heldActions({ ledger, subjects }, { email }) {
    const address = await email();
    const ids = address === null ? [] : await subjects.idsOfAddress(contactSender, address);
    const rows = await ledger.sql<{ at: Date }[]>`
      select at from ledger.operator_action
       where action = 'contact_message.read' and concerns = any (${ids}::text[]) order by at`;
    return rows.map(({ at }) => [
      { field: "action", word: "message-read" },
      { field: "created-at", at: instantFromMs(at.getTime()) },
    ]);
  },
};

/** Erases the details of all messages of a person. A message that was settled holds none any more. */
export const contactEraser: Eraser<Addressed> = {
  step: "contact",
  subjectsOf: async ({ subjects }, { email }) =>
    email === null ? [] : await subjects.idsOfAddress(contactSender, email),
  erase: async ({ ledger, subjects }, person, why) => {
    const { email } = person;
    const of = { kind: contactSender, events: contactEvents };
    const ids = await streamsOfPerson({ ledger, subjects }, of, person);
    for (const id of ids) {
      await eraseDetails({ ledger, subjects }, id, "EraseAsked", why);
      await subjects.shred(id);
    }
    const left = email === null ? [] : await subjects.idsOfAddress(contactSender, email);
    return { found: ids.length, left: left.length };
  },
};

/**
 * Erases the details of a message, if it is time: the fact comes first, the key second. After a crash
 * between the two the timer of the fact destroys the key.
 */
export async function eraseDetails(
  { ledger, subjects }: ContactStores,
  messageId: string,
  type: "EraseContactDetails" | "EraseAsked" | "ExpireContactMessage",
  context: CommandContext,
): Promise<void> {
  const command = { type };
  const request = { id: messageId, command, body: { type, messageId }, ...context };
  const result = await runCommand(ledger, contactMessages, request);
  if (result.kind === "refusal") throw new Error(`No details were erased: ${result.code}`);
  if (result.how === "recorded") await subjects.shred(messageId);
}
