import type { Transaction } from "@pro-talent/platform/postgres/pool";

import type { ReadModel } from "../kernel/read-model.ts";
import type { StreamKind } from "../kernel/stream-kinds.ts";
import { copyRows } from "./copied-rows.ts";
import { type Declared, wordsOf } from "./declared.ts";
import type { Definitions } from "./definitions.ts";
import type { Findings } from "./findings.ts";

/** What keeps the tables of the chain unambiguous. */
const constraints: Readonly<Record<string, readonly string[]>> = {
  event: ["PRIMARY KEY (pos)", "UNIQUE (event_id)", "UNIQUE (stream, version)"],
  head: ["PRIMARY KEY (one)", "CHECK (one)"],
  stream: ["PRIMARY KEY (stream)"],
  command: ["PRIMARY KEY (command_id)"],
  due_timer: ["PRIMARY KEY (stream, name)"],
  outbox: ["PRIMARY KEY (id)"],
  checkpoint: ["PRIMARY KEY (follower)"],
  subject: ["PRIMARY KEY (subject_id)"],
};

/**
 * Checks that what protects the ledger inside the database is there and unchanged: functions, triggers
 * and keys; and that nothing stands between a table and its readers: rewrite rules, row policies,
 * inheritance. Verification itself relies on none of it.
 */
export async function checkProtections(
  tx: Transaction,
  declared: Declared,
  { readModels, streams }: Pick<Definitions, "readModels" | "streams">,
  findings: Findings,
): Promise<void> {
  await checkFunctions(tx, declared, findings);
  await checkTriggers(tx, declared, findings);
  await checkTables(tx, findings);
  await checkKeys(tx, findings);
  await checkErasureEvents(tx, streams, findings);
  await checkViews(tx, readModels, findings);
}

async function checkFunctions(
  tx: Transaction,
  { functions }: Declared,
  findings: Findings,
): Promise<void> {
  const missing = new Set(functions.keys());
  const select = `select p.proname::text, p.prosrc, l.lanname::text, p.prosecdef::int,
      coalesce(array_to_string(p.proconfig, E'\\n'), '')
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'ledger'::regnamespace`;
  await copyRows(tx, select, 5, (row) => {
    const name = row.text(0);
    const expected = functions.get(name);
    const searchPath = /^search_path=(.*)$/m.exec(row.text(4))?.[1] ?? "";
    const same =
      expected?.body === row.text(1) &&
      expected.language === row.text(2) &&
      expected.definer === (row.number(3) === 1) &&
      expected.searchPath === searchPath;
    // A second one of the same name has other parameters.
    if (!same || !missing.delete(name)) findings.add("function", null, `ledger.${name}`);
  });
  for (const name of missing) findings.add("function", null, `ledger.${name} is missing`);
}

async function checkTriggers(
  tx: Transaction,
  { triggers }: Declared,
  findings: Findings,
): Promise<void> {
  const missing = new Set(triggers.keys());
  const select = `select c.relname::text, t.tgname::text, t.tgenabled::text, pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'ledger'::regnamespace and not t.tgisinternal`;
  await copyRows(tx, select, 4, (row) => {
    const name = `${row.text(0)}.${row.text(1)}`;
    const expected = triggers.get(name);
    missing.delete(name);
    const same =
      expected?.words === wordsOf(row.text(3)) && row.text(2) === (expected.always ? "A" : "O");
    if (!same) findings.add("protection", null, `trigger ledger.${name}`);
  });
  for (const name of missing) findings.add("protection", null, `trigger ledger.${name} is missing`);
  await copyRows(tx, "select evtname::text from pg_event_trigger", 1, (row) =>
    findings.add("protection", null, `event trigger ${row.text(0)}`),
  );
}

/** Views are derived; every other table of the schema must be an ordinary one, read as it is. */
async function checkTables(tx: Transaction, findings: Findings): Promise<void> {
  const select = `select c.relname::text, concat_ws(', ',
      case when c.relkind <> 'r' then 'is no ordinary table' end,
      case when c.relpersistence <> 'p' then 'is not durable' end,
      case when c.relrowsecurity or c.relforcerowsecurity then 'has row security' end,
      case when exists (select from pg_policy p where p.polrelid = c.oid) then 'has policies' end,
      case when exists (select from pg_rewrite r where r.ev_class = c.oid) then 'has rules' end,
      case when exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent))
        then 'inherits' end)
    from pg_class c where c.relnamespace = 'ledger'::regnamespace and c.relkind not in ('v', 'i', 'S', 't', 'c')`;
  await copyRows(tx, select, 2, (row) => {
    const fault = row.text(1);
    if (fault !== "") findings.add("protection", null, `table ledger.${row.text(0)} ${fault}`);
  });
}

async function checkKeys(tx: Transaction, findings: Findings): Promise<void> {
  const missing = new Set(
    Object.entries(constraints).flatMap(([table, list]) => list.map((one) => `${table} ${one}`)),
  );
  const select = `select c.relname::text, pg_get_constraintdef(k.oid)
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    left join pg_index i on i.indexrelid = k.conindid
    where c.relnamespace = 'ledger'::regnamespace and k.convalidated and coalesce(i.indisvalid, true)`;
  await copyRows(tx, select, 2, (row) => missing.delete(`${row.text(0)} ${row.text(1)}`));
  for (const one of missing)
    findings.add("protection", null, `constraint ledger.${one} is missing`);
}

/** With other events no key may be destroyed: the database has the list of the definitions. */
async function checkErasureEvents(
  tx: Transaction,
  streams: readonly StreamKind[],
  findings: Findings,
): Promise<void> {
  const missing = new Set(
    streams.flatMap(({ category, erasureTypes }) =>
      erasureTypes.map((type) => `${category} ${type}`),
    ),
  );
  await copyRows(tx, "select category, type from only ledger.erasure_event", 2, (row) => {
    const pair = `${row.text(0)} ${row.text(1)}`;
    if (!missing.delete(pair)) findings.add("protection", null, `erasure event ${pair}`);
  });
  for (const pair of missing) findings.add("protection", null, `erasure event ${pair} is missing`);
}

/** Views show what their definitions say: the collector's consent gate is one. */
async function checkViews(
  tx: Transaction,
  readModels: readonly ReadModel[],
  findings: Findings,
): Promise<void> {
  const views = new Map(
    readModels.flatMap((model) => (model.views ?? []).map(({ name, select }) => [name, select])),
  );
  const select = `select c.relname::text, pg_get_viewdef(c.oid) from pg_class c
    where c.relnamespace = 'ledger'::regnamespace and c.relkind in ('v', 'm')`;
  await copyRows(tx, select, 2, (row) => {
    const name = row.text(0);
    const expected = views.get(name);
    views.delete(name);
    const same = expected !== undefined && viewText(expected) === viewText(row.text(1));
    if (!same) findings.add("protection", null, `view ledger.${name}`);
  });
  for (const name of views.keys())
    findings.add("protection", null, `view ledger.${name} is missing`);
}

/** A view's text without what the database adds: parentheses, casts and spaces. */
function viewText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/::[a-z ]+|[();"]/g, " ")
    .replaceAll(/\s*,\s*/g, ", ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
