import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { seal } from "@pro-talent/platform/crypto/seal";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import { openPool, type Sql } from "@pro-talent/platform/postgres/pool";
import {
  asRole,
  createTestPostgres,
  type TestPostgres,
} from "@pro-talent/platform/testing/engines";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { contactSender, openContactMessage } from "./domains/contact/contact-messages.ts";
import { contactDetails } from "./domains/contact/testing/contact-samples.ts";
import { newsletterSubscriber } from "./domains/newsletter/subscribers.ts";
import type { Sealed } from "./kernel/append.ts";
import { canonicalJson, type Json } from "./kernel/canonical-json.ts";
import { catchUp } from "./kernel/follow.ts";
import { deliverMessage } from "./kernel/outbox.ts";
import { followerOfProcess } from "./kernel/processes.ts";
import { openSubjects } from "./kernel/subjects.ts";
import { readFrozenFixtures } from "./kernel/testing/frozen-fixtures.ts";
import type { Cause } from "./kernel/types.ts";
import { verifyLedger } from "./kernel/verify.ts";
import { migrateLedger } from "./migrate.ts";
import { modules, readModels } from "./modules.ts";
import { testSubjectKeys } from "./testing/create-test-ledger.ts";

const migrations = fileURLToPath(new URL("migrations", import.meta.url));
type Ids = { readonly visitor: string; readonly message: string; readonly subscriber: string };
type JsonRow = Readonly<Record<string, Json>>;
const tables = readModels.map(({ table }) => table);

describe("the ledger's migrations", () => {
  let database: TestPostgres;
  beforeAll(async () => {
    database = await createTestPostgres();
  });
  afterAll(() => database.drop());

  it("name the roles that are missing, and change nothing then", async () => {
    const text = await readFile(join(migrations, "0001_event_store.sql"), "utf8");
    const withoutRoles = text.replace(
      "array['ledger_app', 'collector_app']",
      "array['ledger_app', 'role_one', 'role_two']",
    );
    const owner = openPool(database.ownerUrl, { max: 1, applicationName: "test" });
    await owner`create schema ledger`;
    await expect(owner.unsafe(withoutRoles)).rejects.toThrow(
      "The role(s) role_one, role_two do not exist",
    );
    expect(await owner`select from pg_tables where schemaname = 'ledger'`).toHaveLength(0);
    await owner.end();
  });

  it("are applied once, and tables of read models made once", async () => {
    const files = (await readdir(migrations)).toSorted();
    expect(await migrateLedger(database.ownerUrl)).toEqual([...files, ...tables]);
    expect(await migrateLedger(database.ownerUrl)).toEqual([]);
  });
});

type Before = { readonly stream: string; readonly type: string; readonly data: string };

/** Stored data of an event, as the first version of its type has it. */
function storedEvent(domain: string, file: string, id: string): Before {
  const folder = fileURLToPath(new URL(`domains/${domain}/fixtures`, import.meta.url));
  const frozen = readFrozenFixtures(folder).get(file);
  if (frozen === undefined) throw new Error(`There is no fixture ${file}`);
  return { stream: `${domain}-${id}`, type: frozen.type, data: frozen.data };
}

/** Appends an event as version 0010 did: without a cause, its rows by table. */
async function appendBefore(
  owner: Sql,
  { stream, ...event }: Before,
  { sealed, changes = [] }: { sealed?: Sealed; changes?: object[] },
): Promise<void> {
  const personal = sealed && { sealed: sealed.bytes.toString("base64"), key_id: sealed.keyId };
  const events = [{ id: randomUUID(), sv: 1, meta: "{}", ...event, ...personal }];
  await owner`select * from ledger.append(${randomUUID()}, ${randomBytes(32)}, ${stream}, -1,
    ${JSON.stringify(events)}::text::jsonb, '{}', ${JSON.stringify(changes)}::text::jsonb)`;
}

/** Makes a data subject as version 0010 did. @returns its sealed personal data */
async function sealBefore(
  owner: Sql,
  make: "open_subscriber" | "new_sender",
  { id, ...personal }: { id: string; email: string } & JsonRow,
): Promise<Sealed> {
  const { wrappingKey, lookupKey } = testSubjectKeys;
  const key = randomBytes(32);
  const lookup = createHmac("sha256", lookupKey).update(personal.email).digest();
  const wrappingKeyId = createHash("sha256").update(wrappingKey).digest("hex").slice(0, 8);
  await owner`select ${owner(`ledger.${make}`)}(
    ${id}, ${lookup}, ${seal(wrappingKey, key, id)}, ${wrappingKeyId})`;
  return { keyId: id, bytes: seal(key, Buffer.from(canonicalJson(personal)), id) };
}

/** A ledger as version 0010 left it: a consent, a contact message and a waitlist subscriber. */
async function fillBefore(owner: Sql, ids: Ids): Promise<void> {
  const consent = { visitor_id: ids.visitor, purpose: "analytics", granted: true, pos: 0 };
  await appendBefore(owner, storedEvent("consent", "consent-granted.v1.json", ids.visitor), {
    changes: [{ table: "consent_current", put: [consent] }],
  });
  const erasure = { name: "contact.erase-letter", payload: { messageId: ids.message }, pos: 0 };
  await appendBefore(
    owner,
    storedEvent("contact", "contact-message-received.v1.json", ids.message),
    {
      sealed: await sealBefore(owner, "new_sender", { id: ids.message, ...contactDetails() }),
      changes: [{ table: "outbox", put: [erasure] }],
    },
  );
  const address = { email: "noa@example.com", agreedText: null };
  await appendBefore(
    owner,
    storedEvent("newsletter", "subscription-requested.v1.json", ids.subscriber),
    { sealed: await sealBefore(owner, "open_subscriber", { id: ids.subscriber, ...address }) },
  );
}

describe("a ledger of version 0010 with data", () => {
  const ids: Ids = { visitor: randomUUID(), message: randomUUID(), subscriber: randomUUID() };
  let database: TestPostgres;
  let owner: Sql;
  let sql: Sql;

  beforeAll(async () => {
    database = await createTestPostgres();
    const { ownerUrl } = database;
    const directory = await mkdtemp(join(tmpdir(), "migrations-"));
    for (const file of await readdir(migrations)) {
      if (file < "0011") await cp(join(migrations, file), join(directory, file));
    }
    const old = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
    await migratePostgres(old, { schema: "ledger", directory });
    await old.end();
    await rm(directory, { recursive: true });
    owner = openPool(ownerUrl, { max: 1, applicationName: "test" });
    sql = openPool(asRole(ownerUrl, "ledger_app"), { applicationName: "test" });
    await fillBefore(owner, ids);
    await migrateLedger(ownerUrl);
  });
  afterAll(async () => {
    await Promise.all([owner.end(), sql.end()]);
    await database.drop();
  });

  it("has an unbroken chain", async () => {
    const result = await verifyLedger(owner).next();
    expect(result).toEqual({ done: true, value: { events: 3, lastPosition: 3 } });
  });

  it("has read models with a row for each thing", async () => {
    const counts = new Map<string, number>();
    for (const { table } of readModels) {
      counts.set(table, (await owner`select from ${owner(`ledger.${table}`)}`).length);
    }
    expect(Object.fromEntries(counts)).toMatchObject({
      consent_current: 1,
      consent_receipt: 1,
      contact_inbox: 1,
      newsletter_subscriber: 1,
      newsletter_issue: 0,
      // Follows from an event that the process has yet to append.
      waitlist_place: 0,
    });
    const gate = await sql`select visitor_id, granted from ledger.consent_gate`;
    expect(gate).toEqual([{ visitor_id: ids.visitor, granted: true }]);
  });

  it("opens the personal data that was sealed before, and finds its subjects by address", async () => {
    const subjects = openSubjects(sql, testSubjectKeys);
    const received = await openContactMessage(
      { ledger: { sql, readModels }, subjects },
      ids.message,
    );
    expect(received?.details).toEqual(contactDetails());
    const subscriber = await subjects.withAddress(newsletterSubscriber, "noa@example.com");
    expect(subscriber.id).toBe(ids.subscriber);
    expect(await subjects.countSince(contactSender, "noa@example.com", instantFromMs(0))).toBe(1);
  });

  it("delivers the messages that wait in the outbox by their new names", async () => {
    const subjects = openSubjects(sql, testSubjectKeys);
    const [waiting] = await sql<{ id: number; name: string }[]>`select id, name from ledger.outbox`;
    const erased: string[] = [];
    const handlers = {
      "contact.erase-details": async (_payload: unknown, cause: Cause) => {
        erased.push(cause.actor);
        await subjects.shred(ids.message);
      },
    };
    expect(await deliverMessage(sql, handlers, waiting?.id ?? 0)).toBe("delivered");
    expect(erased).toEqual(["message:contact.erase-details"]);
  });

  it("lets processes react to events of before", async () => {
    const families = modules.flatMap(({ events }) => events);
    const options = { ledger: { sql, readModels }, families, clock: () => Date.now() };
    for (const process of modules.flatMap(({ processes }) => processes)) {
      await catchUp(followerOfProcess(process, options));
    }
    const [event] = await sql<{ stream: string; meta: string; cause: string }[]>`
      select e.stream, e.meta, c.event_id as cause from ledger.event e, ledger.event c
       where e.pos = 4 and c.pos = 3`;
    expect(event?.stream).toBe(`waitlist-${ids.subscriber}`);
    // Events of version 0010 have no correlation: the event itself begins one.
    expect(JSON.parse(event?.meta ?? "")).toMatchObject({
      causationId: event?.cause,
      correlationId: event?.cause,
    });
  });
});
