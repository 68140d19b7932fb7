import type { Sql } from "@pro-talent/platform/postgres/pool";
import {
  ContactDetails,
  ContactMessageReceived,
  type ContactReference,
} from "@pro-talent/schemas/contact/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { column, readModel } from "../../kernel/read-model.ts";
import type { Subjects } from "../../kernel/subjects.ts";
import { contactEvents, type ReceivedMessage } from "./contact-messages.ts";

/** The contact messages that support works on. */
export const contactInbox = readModel({
  table: "contact_inbox",
  version: 3,
  mode: "following",
  purpose: "Contact messages for support, without their personal details",
  retention:
    "24 months after the matter was settled; 36 after the message, if it never was; until its sender is erased",
  events: contactEvents,
  key: { message_id: column.uuid("pseudonym", "Names the message and its data subject") },
  columns: {
    reference: column.text("pseudonym", "What the sender quotes"),
    status: column.text("operational", "Received or settled"),
    fact: column.json(ContactMessageReceived.shape.data)(
      "operational",
      "Category, language, whether suspected and acknowledged",
    ),
  },
  evolve: (row, { event: { type, data } }) => {
    switch (type) {
      case "ContactMessageReceived":
        return { reference: data.reference, status: "received", fact: data };
      case "ContactMatterSettled":
        return row && { ...row, status: "settled" };
      case "ContactDetailsErased":
        // Of a sender who asked for it nothing stays, and there is no one to answer.
        return data.reason === "asked" ? null : row;
      case "ContactMessageExpired":
        return null;
    }
  },
  indexes: [{ on: "(reference)" }],
});

/** A contact message as support sees it. */
export type InboxEntry = Omit<ReceivedMessage, "details"> & {
  /** Undefined once they were erased. */
  readonly details: ContactDetails | undefined;
};

type InboxStores = { readonly sql: Sql; readonly subjects: Subjects };
type InboxRow = {
  message_id: string;
  fact: unknown;
  recorded_ms: number;
  key_id: string | null;
  sealed: Buffer | null;
};

/** What is read, and by which operator: every message that is read is recorded with the name. */
export type InboxReading = {
  readonly reference?: ContactReference;
  readonly most: number;
  readonly operator: string;
};

/**
 * Contact messages, the newest first; with this reference (should two ever have it, both) or all.
 * @param stores.sql of the role `ledger_inbox`
 */
export async function readInbox(
  { sql, subjects }: InboxStores,
  { reference, most, operator }: InboxReading,
): Promise<InboxEntry[]> {
  const rows = await sql<InboxRow[]>`
    select * from ledger.read_contact_messages(${reference ?? null}, ${most}, ${operator})`;
  const entries: InboxEntry[] = [];
  for (const row of rows) {
    const subject = row.key_id === null ? undefined : await subjects.find(row.key_id);
    entries.push({
      messageId: row.message_id,
      receivedAt: instantFromMs(row.recorded_ms),
      fact: ContactMessageReceived.shape.data.parse(row.fact),
      details: row.sealed === null ? undefined : subject?.open(row.sealed, ContactDetails),
    });
  }
  return entries;
}

/** The ids of the messages with a reference, without their content. */
export async function messagesWith(sql: Sql, reference: ContactReference): Promise<string[]> {
  const rows = await sql<{ message_id: string }[]>`
    select message_id from ledger.contact_inbox where reference = ${reference}`;
  return rows.map((row) => row.message_id);
}
