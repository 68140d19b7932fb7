import { randomBytes } from "node:crypto";

import type { Sql } from "@pro-talent/platform/postgres/pool";

/** Every table of a ledger as it was at one moment, as a backup holds it. */
export type CopiedLedger = {
  readonly schema: string;
  /** `columns`: as SQL, without those that the database computes. */
  readonly tables: readonly { readonly name: string; readonly columns: string }[];
};

/** @param owner the owner's connection of a test ledger */
export async function takeLedger(owner: Sql): Promise<CopiedLedger> {
  const schema = `copied_${randomBytes(6).toString("hex")}`;
  const tables = await owner<{ name: string; columns: string }[]>`
    select table_name as name, string_agg(quote_ident(column_name), ', ') as columns
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'ledger' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
     group by table_name`;
  await owner.begin(async (tx) => {
    await tx`create schema ${tx(schema)}`;
    for (const { name } of tables)
      await tx`create table ${tx(schema)}.${tx(name)} as table ledger.${tx(name)}`;
  });
  return { schema, tables };
}

/** Puts the ledger back to that moment, as a restore does: its followers see another epoch. */
export async function restoreLedger(owner: Sql, { schema, tables }: CopiedLedger): Promise<void> {
  await owner.begin(async (tx) => {
    // Neither foreign keys nor the triggers that refuse to delete events.
    await tx`set local session_replication_role = replica`;
    for (const { name, columns } of tables) {
      await tx`alter table ledger.${tx(name)} disable trigger user`;
      await tx`delete from ledger.${tx(name)}`;
      await tx.unsafe(`insert into ledger."${name}" (${columns}) overriding system value
        select ${columns} from ${schema}."${name}"`);
      await tx`alter table ledger.${tx(name)} enable trigger user`;
    }
    await tx`update ledger.head set epoch = epoch + 1`;
    await tx`drop schema ${tx(schema)} cascade`;
  });
}
