import type { JournalledErasure } from "@pro-talent/schemas/privacy/erasure-journal";

import { connect } from "../postgres/is-provisioned.ts";
import { DATABASE, SHREDDER_ROLE } from "../postgres/roles.ts";
import { eraseRows } from "./clickhouse.ts";

/** Rows that a backup still held of erased subjects. */
export type Reapplied = { readonly keys: number; readonly accounts: number };

/**
 * Erases again what the journal names: keys of subjects with their sealed data, accounts with all
 * that belongs to them and the opens of their links, visits. Also erasures from before the backup: repeating one changes nothing.
 */
export async function reapplyErasures(
  stores: { readonly adminUrl: string; readonly clickhouseUrl: string },
  erasures: readonly JournalledErasure[],
): Promise<Reapplied> {
  const subjectIds = erasures.flatMap((erasure) => erasure.subjectIds);
  const accountIds = erasures.flatMap(({ accountId }) => accountId ?? []);
  const visitorIds = erasures.flatMap((erasure) => erasure.visitorIds);
  const sql = connect(stores.adminUrl, DATABASE);
  try {
    // A backup of an earlier release has no such table.
    const [studio] = await sql<{ is_there: boolean }[]>`
      select to_regclass('studio.data_key') is not null as is_there`;
    const hasStudio = studio?.is_there === true;
    const counts = await sql.begin(async (tx) => {
      const accounts = await tx`
        delete from accounts.account where account_id = any (${accountIds}::uuid[])`;
      if (hasStudio)
        await tx`delete from studio.data_key where key_id = any (${accountIds}::uuid[])`;
      // The spool of the backup is shipped after the restore: the collector erases what it holds.
      await tx`
        insert into collector.erasure (erasure_id, subject_kind, subject_id, requested_at)
        select gen_random_uuid(), 'account', id, now() from unnest(${accountIds}::uuid[]) id
        union all
        select gen_random_uuid(), 'visitor', id, now() from unnest(${visitorIds}::uuid[]) id`;
      // What opens for others, or is sent to them: also what was deleted before the account was, which the
      // journal does not name.
      const held = await tx<{ id: string }[]>`
        select link_id as id from ledger.link where account_id = any (${accountIds}::uuid[])
        union all
        select webhook_id from ledger.link_webhook where account_id = any (${accountIds}::uuid[])`;
      const keyIds = [...subjectIds, ...held.map(({ id }) => id)];
      // The only role that may take sealed data out of the ledger.
      await tx`set local role ${tx(SHREDDER_ROLE)}`;
      const keys = await tx`
        delete from ledger.subject where subject_id = any (${keyIds}::uuid[])`;
      await tx`update ledger.event set sealed = null
        where key_id = any (${keyIds}::uuid[]) and sealed is not null`;
      return { keys: keys.count, accounts: accounts.count };
    });
    // What was deleted leaves the pages of the tables too.
    await sql`vacuum ledger.subject, ledger.event, accounts.account`;
    if (hasStudio)
      await sql`vacuum studio.data_key, studio.cv, studio.cv_file, studio.cv_version, studio.photo`;
    await eraseRows(stores.clickhouseUrl, "visitor_id", visitorIds);
    await eraseRows(stores.clickhouseUrl, "account_id", accountIds);
    return counts;
  } finally {
    await sql.end();
  }
}

/** Followers of the ledger notice by its epoch that the history they had read further may be another one. */
export async function beginLedgerEpoch(adminUrl: string): Promise<void> {
  const sql = connect(adminUrl, DATABASE);
  try {
    await sql`update ledger.head set epoch = epoch + 1`;
  } finally {
    await sql.end();
  }
}
