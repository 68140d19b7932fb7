import type { Queryable } from "@pro-talent/platform/postgres/pool";
import type { AccountEvent } from "@pro-talent/schemas/accounts/events";

import type { EventFamily } from "../../kernel/events.ts";
import { column, readModel } from "../../kernel/read-model.ts";
import { loadStream } from "../../kernel/streams.ts";
import type { AnnouncedChange } from "./changes.ts";

/** Before every version: it was not recorded which one was accepted. */
const unknown = "";

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
    columns: {
      terms: column.text("coarse", "Version of the terms that was accepted"),
      privacy: column.text("coarse", "Version of the privacy policy that was accepted"),
    },
    evolve: (_row, { event }) => {
      if (event.type === "AccountClosed") return null;
      const { documents } = event.data;
      const of = (name: AnnouncedChange["document"]) =>
        documents.find(({ document }) => document === name)?.version ?? unknown;
      return { terms: of("terms"), privacy: of("privacy") };
    },
  });

/** Whether an account is listed. */
export async function holderOf(sql: Queryable, accountId: string): Promise<boolean> {
  const rows = await sql`select from ledger.legal_holder where account_id = ${accountId}`;
  return rows.length > 0;
}

/** Open accounts that accepted an earlier version and have no notice of the change yet. */
export async function holdersWithoutNotice(
  sql: Queryable,
  { changeId, document, version }: AnnouncedChange,
  most: number,
): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select account_id as id from ledger.legal_holder h
     where (case ${document}::text when 'terms' then terms else privacy end) < ${version}
       and not exists (select from ledger.change_notice n
                        where n.change_id = ${changeId} and n.account_id = h.account_id)
     limit ${most}`;
  return rows.map(({ id }) => id);
}

/** Notices to accounts that are not listed as open. The list follows: see {@link isClosed}. */
export async function noticesWithoutHolder(
  sql: Queryable,
): Promise<readonly { readonly noticeId: string; readonly accountId: string }[]> {
  return await sql<{ noticeId: string; accountId: string }[]>`
    select notice_id as "noticeId", account_id as "accountId" from ledger.change_notice n
     where not exists (select from ledger.legal_holder h where h.account_id = n.account_id)`;
}

/** Whether an account is closed, by its events. */
export async function isClosed(
  sql: Queryable,
  events: EventFamily<AccountEvent>,
  accountId: string,
): Promise<boolean> {
  const { events: recorded } = await loadStream(sql, events, events.streamOf(accountId));
  return recorded.some(({ event }) => event.type === "AccountClosed");
}
