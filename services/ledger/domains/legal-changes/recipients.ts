import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { AccountEvent } from "@pro-talent/schemas/accounts/events";
import type { ChangeRecipient } from "@pro-talent/schemas/legal-changes/events";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import type { AcceptedDocument } from "@pro-talent/schemas/site/accepted-document";

import type { EventFamily } from "../../kernel/events.ts";
import { column, readModel, type RowOf } from "../../kernel/read-model.ts";
import { loadStream } from "../../kernel/streams.ts";
import type { AnnouncedChange } from "./changes.ts";

/** Before every version: it was not recorded which one was accepted. */
const unknown = "";

const accepted = {
  terms: column.text("coarse", "Version of the terms that was accepted"),
  privacy: column.text("coarse", "Version of the privacy policy that was accepted"),
};

function versionsIn(documents: readonly AcceptedDocument[]): RowOf<typeof accepted> {
  const of = (name: AcceptedDocument["document"]) =>
    documents.find(({ document }) => document === name)?.version ?? unknown;
  return { terms: of("terms"), privacy: of("privacy") };
}

/** Open accounts with what was accepted when they were opened. @param events of accounts */
export const holdersFrom = (events: EventFamily<AccountEvent>) =>
  readModel({
    table: "legal_holder",
    version: 1,
    mode: "following",
    purpose: "Finds the accounts that a change of terms or policy must be announced to",
    retention: "Until the account is closed",
    events,
    key: { account_id: column.uuid("pseudonym", "Names the account") },
    columns: accepted,
    evolve: (_row, { event }) =>
      event.type === "AccountClosed" ? null : versionsIn(event.data.documents),
  });

const subscriberColumns = {
  confirmed: column.boolean("coarse", "Whether the address is confirmed and may be written to"),
  ...accepted,
};
type SubscriberRow = RowOf<typeof subscriberColumns>;

/** Subscribers with what they accepted with their last request. @param events of the newsletter */
export const subscribersFrom = (events: EventFamily<NewsletterEvent>) =>
  readModel({
    table: "legal_subscriber",
    version: 1,
    mode: "following",
    purpose: "Finds the subscribers that a change of terms or policy must be announced to",
    retention: "As long as the events that it is built from; an erased subscriber has no row",
    events,
    key: { subscriber_id: column.uuid("pseudonym", "Names the subscriber") },
    columns: subscriberColumns,
    evolve: (row, { event }) => subscriberAfter(row, event),
  });

function subscriberAfter(row: SubscriberRow | null, event: NewsletterEvent): SubscriberRow | null {
  if (event.type === "SubscriberErased") return null;
  if (event.type === "SubscriptionRequested")
    return { confirmed: false, ...versionsIn(event.data.documents) };
  return row && { ...row, confirmed: isConfirmedAfter(event) ?? row.confirmed };
}

/** Undefined after an event that says nothing about it. */
function isConfirmedAfter(event: NewsletterEvent): boolean | undefined {
  switch (event.type) {
    case "SubscriptionConfirmed":
      return true;
    case "BounceWithdrawn":
      return event.data.status === "confirmed";
    case "Unsubscribed":
    case "MailComplained":
      return false;
    case "MailBounced":
      return event.data.kind === "hard" ? false : undefined;
    default:
      return undefined;
  }
}

/** What the holder of an open account accepted; null when it is not listed. */
export async function acceptedBy(
  sql: Queryable,
  accountId: string,
): Promise<RowOf<typeof accepted> | null> {
  const [row] = await sql<RowOf<typeof accepted>[]>`
    select terms, privacy from ledger.legal_holder where account_id = ${accountId}`;
  return row ?? null;
}

/** Where a list is read on, and how much of it. */
type Page = { readonly after: string | null; readonly most: number };

/** Who accepted an earlier version and has no notice of the change yet, in the order of their ids. */
export async function recipientsWithoutNotice(
  sql: Queryable,
  recipient: ChangeRecipient,
  { changeId, document, version }: AnnouncedChange,
  { after, most }: Page,
): Promise<readonly string[]> {
  const list =
    recipient === "account"
      ? sql`(select account_id as id, terms, privacy from ledger.legal_holder)`
      : sql`(select subscriber_id as id, terms, privacy from ledger.legal_subscriber where confirmed)`;
  const rows = await sql<{ id: string }[]>`
    select id from ${list} r
     where (${after}::uuid is null or id > ${after}::uuid)
       and (case ${document}::text when 'terms' then terms else privacy end) < ${version}
       and not exists (select from ledger.change_notice n
                        where n.change_id = ${changeId} and n.recipient = ${recipient}::text
                          and n.recipient_id = r.id)
     order by id limit ${most}`;
  return rows.map(({ id }) => id);
}

type Unlisted = {
  readonly noticeId: string;
  readonly recipient: ChangeRecipient;
  readonly recipientId: string;
};

/** Notices to recipients that are not listed. The lists follow: see {@link isGone}. */
export async function noticesWithoutRecipient(sql: Queryable): Promise<readonly Unlisted[]> {
  return await sql<Unlisted[]>`
    select notice_id as "noticeId", recipient, recipient_id as "recipientId"
      from ledger.change_notice n
     where case recipient
             when 'account' then not exists
               (select from ledger.legal_holder h where h.account_id = n.recipient_id)
             else not exists
               (select from ledger.legal_subscriber s where s.subscriber_id = n.recipient_id)
           end
     order by notice_id limit 1000`;
}

/** Events of accounts and of subscribers. */
export type RecipientEvents = {
  readonly account: EventFamily<AccountEvent>;
  readonly subscriber: EventFamily<NewsletterEvent>;
};

/** Whether an account is closed, or a subscriber is erased, by their events. */
export async function isGone(
  sql: Queryable,
  events: RecipientEvents,
  { recipient, recipientId }: Unlisted,
): Promise<boolean> {
  const family: EventFamily<AccountEvent | NewsletterEvent> = events[recipient];
  const { events: recorded } = await loadStream(sql, family, family.streamOf(recipientId));
  return recorded.some(
    ({ event: { type } }) => type === "AccountClosed" || type === "SubscriberErased",
  );
}
