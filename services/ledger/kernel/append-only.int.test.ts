import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readModels } from "../modules.ts";
import { consentAppend } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { rawAppend } from "../testing/raw-append.ts";
import { verifyLedger } from "../verifier/verify.ts";
import { append } from "./append.ts";

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await createTestLedger();
  await append(ledger, consentAppend());
});
afterAll(() => ledger.drop());

const changes = [
  "update ledger.event set data = '{}'",
  "update ledger.event set recorded_at = now()",
  "update ledger.event set hash = hash",
  "delete from ledger.event",
  "truncate ledger.event",
  "truncate ledger.event cascade",
];
const roles = ["owner", "sql", "collector"] as const;

const snapshot = () => ledger.owner`select * from ledger.event order by pos`;

describe("a recorded event", () => {
  it.each(roles.flatMap((role) => changes.map((change) => ({ role, change }))))(
    "is not changed by $role: $change",
    async ({ role, change }) => {
      const before = await snapshot();
      await expect(ledger[role].unsafe(change)).rejects.toMatchObject({ code: "42501" });
      expect(await snapshot()).toEqual(before);
    },
  );

  it("is not changed by the owner either where replication switches triggers off", async () => {
    const before = await snapshot();
    for (const change of changes) {
      const asReplica = ledger.owner.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx.unsafe(change);
      });
      await expect(asReplica).rejects.toMatchObject({ code: "42501" });
    }
    expect(await snapshot()).toEqual(before);
  });

  it("loses its sealed part when that is dropped, and nothing else, ever", async () => {
    const seal = () =>
      rawAppend(ledger.owner, {
        stream: `request-${randomUUID()}`,
        type: "RequestReceived",
        sealed: "c2VjcmV0",
        keyId: randomUUID(),
      });
    await seal();
    const drop = "update ledger.event set sealed = null where sealed is not null";
    await expect(
      ledger.owner.unsafe(`${drop.replace("sealed = null", "sealed = null, data = '{\"a\":1}'")}`),
    ).rejects.toMatchObject({ code: "42501" });
    await expect(
      ledger.owner.unsafe("update ledger.event set sealed = '\\x01' where sealed is not null"),
    ).rejects.toMatchObject({ code: "42501" });
    await expect(ledger.sql.unsafe(drop)).rejects.toMatchObject({ code: "42501" });
    expect((await ledger.owner.unsafe(drop)).count).toBe(1);
    expect((await verifyLedger(ledger.owner)).findings).toEqual([]);
  });
});

describe("the keeper's role", () => {
  it("may re-wrap keys, turn epochs and vacuum, and nothing else", async () => {
    expect(await executableFunctions("ledger_keeper")).toEqual([
      "begin_epoch",
      "begin_vacuum",
      "end_epoch",
      "end_vacuum",
      "note_destroyed_epoch",
      "now",
      "rewrap_subjects",
    ]);
    const may = async (table: string) => await privileges("ledger_keeper", table);
    expect([await may("subject"), await may("event")]).toEqual([
      ["SELECT", "MAINTAIN"],
      ["MAINTAIN"],
    ]);
    for (const change of [
      "select sealed from ledger.event",
      "delete from ledger.subject",
      "update ledger.subject set wrapped_key = ''",
      "delete from ledger.key_epoch",
      "select ledger.shred_subject(gen_random_uuid())",
      "select ledger.append('[]')",
    ]) {
      await expect(ledger.keeper.unsafe(change)).rejects.toMatchObject({ code: "42501" });
    }
  });
});

describe("the service's role", () => {
  const tables = [
    "head",
    "event",
    "stream",
    "command",
    "due_timer",
    "outbox",
    "checkpoint",
    "consent_gate",
    "consent_position",
    "subject",
    "key_epoch",
    "ended_epoch",
    "lookup_key",
    "issue_content",
    "issue_delivery",
    "read_model",
    "do_not_mail",
    "mailbox_mail",
    ...readModels.map(({ table }) => table),
  ];

  it.each(tables)("may read ledger.%s and do nothing else to it", async (table) => {
    expect(await privileges("ledger_app", table)).toEqual(["SELECT"]);
  });

  it("may call the functions that write, and no other", async () => {
    expect(await executableFunctions("ledger_app")).toEqual([
      "admit_mail",
      "append",
      "begin_issue_part",
      "begin_keys",
      "block_mailbox",
      "continue_issue",
      "delay_delivery",
      "doubt_delivery",
      "drop_stray_timers",
      "follow",
      "follow_lookup_key",
      "forget_mailbox_mails",
      "forget_orphans",
      "forget_records",
      "new_subject",
      "now",
      "open_subject",
      "resume_issue",
      "set_timers",
      "settle_delivery",
      "shred_subject",
      "store_issue_content",
      "take_delivery",
    ]);
  });

  it("may record what was delivered, which timer fired and what a search plants, and no other column", async () => {
    const columns = await ledger.owner<{ name: string }[]>`
      select table_name || '.' || column_name as name from information_schema.column_privileges
       where grantee = 'ledger_app' and table_schema = 'ledger' and privilege_type <> 'SELECT'
       order by 1`;
    expect(columns.map((column) => column.name)).toEqual([
      "due_timer.fired_at",
      "outbox.done_at",
      "outbox.due_at",
      "outbox.given_up_at",
      "outbox.turn",
      "search_decoy.bytes",
      "search_decoy.decoy_id",
      "search_decoy.document",
      "search_decoy.planted_at",
      "search_decoy.words",
    ]);
  });

  it("cannot write a row that guards decisions through a follower's step", async () => {
    const changes = JSON.stringify([{ table: "consent_current", upsert: [] }]);
    await expect(
      ledger.sql`select ledger.follow('consent_receipt', 1, 0, 1, 0, ${changes}::text::jsonb)`,
    ).rejects.toThrow("No event supports these rows");
  });
});

describe("the collector's role", () => {
  it("may read the gate", async () => {
    const gate = await ledger.collector`select visitor_id, granted from ledger.consent_gate`;
    expect(gate).toMatchObject([{ granted: true }]);
  });

  it("may do nothing else in the ledger's schema", async () => {
    const relations = await ledger.owner<{ name: string }[]>`
      select relname as name from pg_class
       where relnamespace = 'ledger'::regnamespace and relkind in ('r', 'v', 'S', 'm')`;
    const allowed = await Promise.all(
      relations.map(async ({ name }) => ({
        name,
        privileges: await privileges("collector_app", name),
      })),
    );
    expect(relations.length).toBeGreaterThan(10);
    expect(allowed.filter((entry) => entry.privileges.length > 0)).toEqual([
      { name: "consent_gate", privileges: ["SELECT"] },
      { name: "consent_position", privileges: ["SELECT"] },
    ]);
    expect(await executableFunctions("collector_app")).toEqual([]);
  });
});

async function privileges(role: string, table: string): Promise<string[]> {
  const rows = await ledger.owner<{ privilege: string }[]>`
    select privilege from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE',
      'REFERENCES', 'TRIGGER', 'MAINTAIN']) privilege
     where has_table_privilege(${role}, ${`ledger.${table}`}, privilege)`;
  return rows.map((row) => row.privilege);
}

async function executableFunctions(role: string): Promise<string[]> {
  const rows = await ledger.owner<{ name: string }[]>`
    select proname as name from pg_proc
     where pronamespace = 'ledger'::regnamespace and has_function_privilege(${role}, oid, 'EXECUTE')
     order by 1`;
  return rows.map((row) => row.name);
}
