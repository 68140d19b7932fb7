import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole, testRoles } from "@pro-talent/platform/testing/engines";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { append } from "../kernel/append.ts";
import { modules } from "../modules.ts";
import { consentAppend, newStream } from "../testing/consent-append.ts";
import { createTestLedger, type TestLedger } from "../testing/create-test-ledger.ts";
import { definitionsOf } from "./definitions.ts";
import { fillLedger, leave, type Targets } from "./testing/attacked-ledger.ts";
import { verifyLedger } from "./verify.ts";

const definitions = definitionsOf(modules);

/** What no role of the product may do, whatever it may do besides. */
const statements = [
  "update ledger.event set data = '{}'",
  "delete from ledger.event",
  "truncate ledger.event cascade",
  "insert into ledger.event select * from ledger.event limit 1",
  "update ledger.event set sealed = null",
  "update ledger.head set pos = 0",
  "delete from ledger.head",
  "update ledger.stream set version = 1",
  "delete from ledger.command",
  "update ledger.consent_current set granted = true",
  "insert into ledger.due_timer values ('newsletter-1', 'x', now(), null, 1)",
  "delete from ledger.due_timer",
  "update ledger.due_timer set due_at = now()",
  "update ledger.outbox set payload = '{}'",
  "delete from ledger.outbox",
  "delete from ledger.subject",
  "update ledger.subject set wrapped_key = ''",
  "update ledger.snapshot set state = '{}'",
  "insert into ledger.erasure_event values ('newsletter', 'PreferencesChanged')",
  "update ledger.checkpoint set pos = 0",
  "alter table ledger.event disable trigger all",
  "drop trigger frozen on ledger.event",
  "create or replace function ledger.event_hash(bytea, ledger.event) returns bytea language sql as 'select $1'",
  "alter function ledger.append(jsonb) set search_path = public",
  "create rule swallow as on insert to ledger.event do instead nothing",
  "alter table ledger.event enable row level security",
  "set session_replication_role = replica",
];

let ledger: TestLedger;
let targets: Targets;
const pools = new Map<string, Sql>();

beforeAll(async () => {
  ledger = await createTestLedger();
  targets = await fillLedger(ledger, 100);
  for (const role of testRoles) {
    const url = asRole(ledger.ownerUrl, role);
    pools.set(role, openPool(url, { max: 1, applicationName: "test" }));
  }
});
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.end()));
  await ledger.drop();
});

const findings = async (): Promise<readonly unknown[]> =>
  (await verifyLedger(ledger.owner, { definitions })).findings;

describe.each(testRoles)("the role %s", (role) => {
  it.each(statements)("may not: %s", async (statement) => {
    await expect(pools.get(role)?.unsafe(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

it("nothing of that left a trace", async () => {
  expect(await findings()).toEqual([]);
});

describe("what the service's role may do, and must not, is found:", () => {
  it("a guard row that its event does not support", async () => {
    const stream = newStream();
    const wrong = { visitor_id: stream.slice(8), purpose: "analytics", granted: false, pos: 0 };
    const changes = [{ table: "consent_current", upsert: [wrong] }];
    await append(ledger.ledger, consentAppend({ stream, changes }));
    expect(await findings()).toEqual([
      {
        why: "row",
        position: 223,
        what: `consent_current ["${wrong.visitor_id}","analytics"] differs`,
      },
    ]);
    const model = "update ledger.consent_current set granted = true where pos = 223";
    await ledger.owner.unsafe(model);
  });

  it("a message that is marked as delivered, and a timer that is marked as fired", async () => {
    await ledger.sql`update ledger.outbox set done_at = clock_timestamp() where id = 1`;
    await ledger.sql`update ledger.due_timer set fired_at = clock_timestamp()
      where stream = ${targets.pending}`;
    expect(await findings()).toMatchObject([{ why: "timer" }, { why: "outbox" }]);
  });
});

it("an erasure that is a fact, while the personal data is kept, is found a day later", async () => {
  const kept = await createTestLedger();
  const id = await leave(kept);
  const verify = (clock: () => number) => verifyLedger(kept.owner, { definitions, clock });
  expect((await verify(() => Date.now())).findings).toEqual([]);
  const later = await verify(() => Date.now() + 25 * 60 * 60 * 1000);
  expect(later.findings).toMatchObject([{ why: "kept", what: `newsletter-${id}` }]);
  await kept.subjects.shred(id);
  expect((await verify(() => Date.now() + 25 * 60 * 60 * 1000)).findings).toEqual([]);
  await kept.drop();
});
