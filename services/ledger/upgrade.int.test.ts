import { readKeyPeriods } from "@pro-talent/platform/keys/key-periods";
import type { Mail } from "@pro-talent/platform/mail/mailer";
import { openPool, type Queryable, type Sql } from "@pro-talent/platform/postgres/pool";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { until } from "@pro-talent/platform/testing/until";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { contactSender, openContactMessage } from "./domains/contact/contact-messages.ts";
import { contactDetails } from "./domains/contact/testing/contact-samples.ts";
import { issueStatus } from "./domains/newsletter/issue/issue-status.ts";
import { newsletterSubscriber } from "./domains/newsletter/subscribers.ts";
import { openKeyring } from "./kernel/keys/keyring.ts";
import { turnEpochs } from "./kernel/keys/turn-epochs.ts";
import { rebuildReadModel } from "./kernel/rebuild.ts";
import { reconcileAll } from "./kernel/reconcile.ts";
import { openSubjects, type Subjects } from "./kernel/subjects.ts";
import { log, noMail, workerOptions } from "./kernel/testing/ledger-workers.ts";
import { migrateLedger } from "./migrate.ts";
import { modules, readModels } from "./modules.ts";
import { createTestKeys, type TestKeys } from "./testing/create-test-ledger.ts";
import { appendAs0010, fillAs0010, migrateTo0010, things } from "./testing/version-0010.ts";
import { definitionsOf } from "./verifier/definitions.ts";
import { verifyLedger } from "./verifier/verify.ts";
import { buildLedgerWorker, ledgerConnectionsMin } from "./worker-app.ts";

/** The rows of the tables that both versions have. @param list reads a list of names */
async function sharedRows(sql: Queryable, list: (column: string) => string): Promise<unknown[]> {
  const selects = [
    "select visitor_id, purpose, granted, pos from ledger.consent_current order by 1",
    "select visitor_id, granted from ledger.consent_gate order by 1",
    `select subscriber_id, status, language, frequency, ${list("topics")} as topics, pos
       from ledger.newsletter_subscriber order by 1`,
    `select issue_id, slug, ${list("topics")} as topics, ${list("frequencies")} as frequencies,
       content_hash, pos from ledger.newsletter_issue`,
  ];
  const rows: unknown[] = [];
  for (const select of selects) rows.push([...(await sql.unsafe(select))]);
  return rows;
}

describe("a ledger of version 0010 with data, once it is migrated", () => {
  let database: TestPostgres;
  let owner: Sql;
  let sql: Sql;
  let keys: TestKeys;
  let subjects: Subjects;
  let before: unknown[];

  beforeAll(async () => {
    database = await createTestPostgres();
    const { ownerUrl } = database;
    await migrateTo0010(ownerUrl);
    owner = openPool(ownerUrl, { max: 1, applicationName: "test" });
    sql = openPool(asRole(ownerUrl, "ledger_app"), {
      max: ledgerConnectionsMin,
      applicationName: "test",
    });
    keys = await createTestKeys();
    subjects = openSubjects(sql, openKeyring({ sql, keys: keys.keys, log }));
    await fillAs0010(sql);
    // As a message of the outbox the erasure could be given up.
    await owner`update ledger.outbox set given_up_at = now() where name = 'contact.erase-letter'`;
    before = await sharedRows(owner, (column) => `string_to_array(${column}, ',')`);
    await migrateLedger(ownerUrl, asRole(ownerUrl, "jobs_app"));
  });
  afterAll(async () => {
    await Promise.all([owner.end(), sql.end()]);
    await Promise.all([database.drop(), keys.remove()]);
  });

  it("has an unbroken chain", async () => {
    const { findings, events, end } = await verifyLedger(owner);
    expect({ findings, events, last: end.position }).toEqual({
      findings: [],
      events: 11,
      last: 11,
    });
  });

  it("has the same rows in its read models, as a rebuild has them too", async () => {
    expect(await sharedRows(owner, (column) => column)).toEqual(before);
    expect(await owner`select from ledger.consent_receipt`).toHaveLength(3);
    expect(await owner`select from ledger.contact_inbox`).toHaveLength(1);
    for (const model of readModels) {
      const { equal } = await rebuildReadModel(owner, model, { accept: false });
      expect({ model: model.table, equal }).toEqual({ model: model.table, equal: true });
    }
  });

  it("opens the personal data that was sealed before, and finds its subjects by address", async () => {
    const stores = { ledger: { sql, readModels }, subjects };
    const received = await openContactMessage(stores, things.message);
    expect(received?.details).toEqual(contactDetails());
    const subscriber = await subjects.withAddress(newsletterSubscriber, "noa@example.com");
    expect(subscriber.id).toBe(things.noa);
    expect(await subjects.countSince(contactSender, "noa@example.com", instantFromMs(0))).toBe(1);
  });

  it("has the keys of its subjects re-wrapped by the first turn of epochs, and opens them after it", async () => {
    const keeper = openPool(asRole(database.ownerUrl, "ledger_keeper"), {
      max: 1,
      applicationName: "test",
    });
    await turnEpochs({ keeper, keys: keys.keys, periods: readKeyPeriods({}, "LEDGER"), log });
    await keeper.end();
    const epochs = await keys.keys.store.epochs();
    expect(await owner`select distinct wrapping_key_id as id from ledger.subject`).toEqual(
      epochs.map(({ id }) => ({ id })),
    );
    const stores = { ledger: { sql, readModels }, subjects };
    const received = await openContactMessage(stores, things.message);
    expect(received?.details).toEqual(contactDetails());
    const [former] = await owner`select destroyed_at from ledger.ended_epoch`;
    expect(former).toEqual({ destroyed_at: null });
  });

  it("refuses an append of a process that still runs version 0010", async () => {
    const event = { type: "MailBounced", data: '{"kind":"soft"}' };
    const status = { subscriber_id: things.noa, status: "bounced", pos: 0 };
    for (const changes of [[], [{ table: "newsletter_standing", put: [status] }]]) {
      const appending = appendAs0010(sql, `newsletter-${things.noa}`, event, changes);
      await expect(appending).rejects.toMatchObject({ code: "42883" });
    }
    expect(await sql`select from ledger.event`).toHaveLength(11);
  });

  it("lets its worker finish what waits: messages, timers, deliveries, and processes", async () => {
    const mails: Mail[] = [];
    const mailer = { ...noMail, send: async (mail: Mail) => void mails.push(mail) };
    const queueUrl = asRole(database.ownerUrl, "jobs_app");
    const worker = await buildLedgerWorker(
      workerOptions(sql, queueUrl, keys.keys, { modules, mailer }),
    );
    const waitlist = () => sql<{ meta: string; stream: string }[]>`
      select stream, meta from ledger.event where stream like 'waitlist-%' order by pos`;
    const isDone = async (): Promise<boolean> => {
      const waiting = await sql`
        select pos from ledger.outbox where done_at is null
         union all select pos from ledger.due_timer where fired_at is null and due_at <= now()`;
      return waiting.length === 0 && (await waitlist()).length === 6;
    };
    // Timers that follow from fired ones wait for the next sweep.
    await until("nothing waits", isDone, 30_000);
    await worker.close();
    expect(mails.map(({ to }) => to.address)).toEqual(["dan@example.com"]);
    expect(await issueStatus(sql, things.issue)).toMatchObject([
      { progress: "delivered", deliveries: { sent: 2, waiting: 0 } },
    ]);
    // The message and the timer had their handlers: what they erase is gone.
    expect(await subjects.find(things.message)).toBeUndefined();
    expect(await subjects.find(things.unconfirmed)).toBeUndefined();
    expect(await subjects.find(things.noa)).toBeDefined();
    // Events of version 0010 have no correlation: the event itself begins one.
    const [first] = await waitlist();
    const [cause] = await sql<{ event_id: string }[]>`
      select event_id from ledger.event where stream = ${`newsletter-${things.noa}`} order by pos limit 1`;
    expect(first?.stream).toBe(`waitlist-${things.noa}`);
    const { event_id: id } = cause ?? {};
    expect(JSON.parse(first?.meta ?? "")).toMatchObject({ causationId: id, correlationId: id });
    await reconcileAll({ sql, kinds: modules.flatMap(({ streams }) => streams) });
    const { findings } = await verifyLedger(owner, { definitions: definitionsOf(modules) });
    expect(findings).toEqual([]);
  });
});
