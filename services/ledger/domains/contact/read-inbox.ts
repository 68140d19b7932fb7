import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Statement } from "@pro-talent/platform/postgres/statement";
import {
  ContactLetter,
  type ContactMessageReceived,
  type ContactReference,
} from "@pro-talent/schemas/contact/events";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import { readStored, type StoredEvent, storedEventColumns } from "../event-store/stored-event.ts";
import type { Subjects } from "../subjects/subjects.ts";
import { contactEvents, messageOf } from "./contact-events.ts";

/** A message for the people of support. */
export type InboxEntry = {
  readonly messageId: string;
  readonly receivedAt: Instant;
  readonly fact: ContactMessageReceived["data"];
  /** Missing once it was erased. */
  readonly letter: ContactLetter | undefined;
};

type InboxStores = { readonly sql: Sql; readonly subjects: Subjects };
type InboxRow = StoredEvent & { key_id: string | null; sealed: Buffer | null };

/** The newest messages, the newest first. */
export async function newestMessages(stores: InboxStores, most: number): Promise<InboxEntry[]> {
  const rows = await stores.sql<InboxRow[]>`
    ${selectMessages(stores.sql)} order by e.pos desc limit ${most}`;
  return openAll(stores, rows);
}

/** The message with this reference. Should two ever have the same, it is both. */
export async function messagesWith(
  stores: InboxStores,
  reference: ContactReference,
): Promise<InboxEntry[]> {
  const rows = await stores.sql<InboxRow[]>`
    ${selectMessages(stores.sql)} and e.data::jsonb->>'reference' = ${reference} order by e.pos`;
  return openAll(stores, rows);
}

function selectMessages(sql: Sql): Statement<InboxRow[]> {
  return sql<InboxRow[]>`
    select ${storedEventColumns(sql)}, e.key_id, e.sealed from ledger.event e
     where e.type = 'ContactMessageReceived'`;
}

async function openAll(
  { subjects }: InboxStores,
  rows: readonly InboxRow[],
): Promise<InboxEntry[]> {
  const entries: InboxEntry[] = [];
  for (const row of rows) {
    const { event, recordedAt } = readStored(contactEvents, row);
    if (event.type !== "ContactMessageReceived") continue;
    const subject = row.key_id === null ? undefined : await subjects.find(row.key_id);
    const letter = row.sealed === null ? undefined : subject?.open(row.sealed, ContactLetter);
    entries.push({
      messageId: messageOf(row.stream),
      receivedAt: recordedAt,
      fact: event.data,
      letter,
    });
  }
  return entries;
}
