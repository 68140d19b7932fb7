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
  version: 2,
  mode: "following",
  purpose: "Contact messages for support, without their personal details",
  retention: "24 months after the matter was settled; 36 after the message, if it never was",
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
        return row;
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

/** Contact messages, the newest first; with this reference (should two ever have it, both) or all. */
export async function readInbox(
  { sql, subjects }: InboxStores,
  { reference, most }: { readonly reference?: ContactReference; readonly most: number },
): Promise<InboxEntry[]> {
  const rows = await sql<InboxRow[]>`
    select i.message_id, i.fact, e.key_id, e.sealed,
           (extract(epoch from e.recorded_at) * 1000)::bigint as recorded_ms
      from ledger.contact_inbox i
      join ledger.event e on e.stream = 'contact-' || i.message_id and e.version = 1
     where ${reference ?? null}::text is null or i.reference = ${reference ?? null}
     order by e.pos desc limit ${most}`;
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
