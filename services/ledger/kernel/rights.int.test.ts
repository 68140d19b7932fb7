import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import { asRole } from "@pro-talent/platform/testing/engines";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { contactEvents, settleMatter } from "../domains/contact/contact-messages.ts";
import { contactInbox } from "../domains/contact/inbox.read-model.ts";
import { contactTimerHandlers } from "../domains/contact/messages.ts";
import { sendContactMessage } from "../domains/contact/send-contact-message.ts";
import { newMessage } from "../domains/contact/testing/contact-samples.ts";
import { consentAppend } from "../testing/consent-append.ts";
import { createTestLedger, testCause, type TestLedger } from "../testing/create-test-ledger.ts";
import { append } from "./append.ts";
import { idOf } from "./events.ts";
import { catchUp, followerOf } from "./follow.ts";
import {
  appending,
  following,
  granted,
  inboxRow,
  newId,
  outbox,
  timer,
} from "./testing/forged-requests.ts";
import { none, plainStatements, type Role, roles, service } from "./testing/plain-statements.ts";

/** A received and an erased contact message, and a visitor's consent. */
const ids = { received: "", erased: "", visitor: "" };
let ledger: TestLedger;
const pools = new Map<Role, Sql>();

beforeAll(async () => {
  ledger = await createTestLedger();
  for (const role of roles) {
    const url = asRole(ledger.ownerUrl, role);
    pools.set(role, openPool(url, { max: 1, applicationName: "test-rights" }));
  }
  const issued = () => ({ now: instantFromMs(Date.now()), cause: testCause("operator") });
  const messages: string[] = [];
  for (const _ of ["received", "erased"]) {
    await sendContactMessage(ledger, newMessage(), issued());
    const [row] = await ledger.sql<{ stream: string }[]>`
      select stream from ledger.event order by pos desc limit 1`;
    messages.push(idOf(row?.stream ?? ""));
  }
  [ids.received = "", ids.erased = ""] = messages;
  await settleMatter(ledger.ledger, ids.erased, issued());
  const { subjects } = ledger;
  const kept = { ...ledger, subjects: { ...subjects, shred: async () => undefined } };
  await contactTimerHandlers(kept)["contact.erase-details"]?.(ids.erased, issued());
  const consent = consentAppend();
  ids.visitor = idOf(consent.stream);
  await append(ledger, consent);
  await catchUp(followerOf(ledger.sql, contactInbox));
});
afterAll(async () => {
  await Promise.all([...pools.values()].map((sql) => sql.end()));
  await ledger.drop();
});

const head = "(select pos from ledger.head)";
const contact = () => contactEvents.streamOf(ids.received);

/** What is asked of the database, and who may do it. */
const statements: readonly (readonly [string, () => string, readonly Role[]])[] = [
  ...plainStatements.map(([what, text, allowed]) => [what, () => text, allowed] as const),
  [
    "append with own rows",
    () => appending("consent", [granted(newId), outbox(0), timer(`consent-${newId}`)]),
    service,
  ],
  [
    "append with another stream's guard row",
    () => appending("consent", [granted(ids.visitor)]),
    none,
  ],
  ["append with another category's guard row", () => appending("contact", [granted(newId)]), none],
  [
    "append with a guard row of a later event",
    () => appending("consent", [granted(newId, 1)]),
    none,
  ],
  ["append with another stream's timer", () => appending("consent", [timer(contact())]), none],
  [
    "append that cancels another stream's timer",
    () =>
      appending("consent", [
        { table: "due_timer", delete: [{ stream: contact(), name: "contact.erase-details" }] },
      ]),
    none,
  ],
  ["append with a message of an earlier event", () => appending("consent", [outbox(-1)]), none],
  ["append with rows of a following model", () => appending("contact", [inboxRow(0)]), none],
  [
    "append with another stream's snapshot",
    () => appending("consent", [{ table: "snapshot", upsert: [{ stream: contact(), pos: 0 }] }]),
    none,
  ],
  [
    "append that moves a read model's checkpoint",
    () =>
      appending("consent", [], { name: "contact_inbox", epoch: 1, pos: 0, to_epoch: 1, to_pos: 1 }),
    none,
  ],
  [
    "append that moves a process past the end",
    () =>
      appending("consent", [], {
        name: "waitlist.follow-subscribers",
        epoch: 1,
        pos: 0,
        to_epoch: 1,
        to_pos: 1e9,
      }),
    none,
  ],
  ["follow to the end", () => following("contact_inbox", head), service],
  ["follow past the end", () => following("contact_inbox", `${head} + 1`), none],
  ["follow with a row of no event", () => following("contact_inbox", head, [inboxRow(1e9)]), none],
  [
    "follow with a row of an event long passed",
    () => following("contact_inbox", head, [inboxRow(1)]),
    none,
  ],
  [
    "follow with deletions and no event",
    () =>
      following("contact_inbox", head, [
        { table: "contact_inbox", delete: [{ message_id: newId }] },
      ]),
    none,
  ],
  [
    "follow with rows of an inline model",
    () => following("consent_current", head, [granted(newId, 1)]),
    none,
  ],
  ["follow with timers", () => following("due_timer", head, [timer(contact(), 1)]), none],
  ["destroy a key without a fact", () => `select ledger.shred_subject('${ids.received}')`, none],
  ["destroy a key after its fact", () => `select ledger.shred_subject('${ids.erased}')`, service],
  ["forget orphans", () => "select ledger.forget_orphans()", service],
  ["reconcile a stream", () => `select ledger.set_timers('${contact()}', 1, '[]')`, service],
  ["remove stray timers", () => "select ledger.drop_stray_timers()", service],
  [
    "request messages again",
    () => "select ledger.retry_messages(null, 'test')",
    ["ledger_operator"],
  ],
];

/** Whether a role may; what it did is taken back. */
async function may(role: Role, statement: string): Promise<boolean> {
  const undone = new Error("undone");
  const sql = pools.get(role);
  if (sql === undefined) throw new Error("The role has no pool");
  try {
    await sql.begin(async (tx) => {
      await tx.unsafe(statement);
      throw undone;
    });
  } catch (error) {
    if (error === undone) return true;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "42501") return false;
    throw error;
  }
  return true;
}

describe("of all roles", () => {
  it.each(statements)("those that may %s are as listed", async (_what, statement, allowed) => {
    const found: Role[] = [];
    for (const role of roles) if (await may(role, statement())) found.push(role);
    expect(found.toSorted()).toEqual(allowed.toSorted());
  });

  it("none is asked too little", () => {
    expect(statements.length).toBeGreaterThanOrEqual(45);
  });
});
