import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { seal } from "@pro-talent/platform/crypto/seal";
import { connectPostgres } from "@pro-talent/platform/postgres/connect";
import { migratePostgres } from "@pro-talent/platform/postgres/migrate";
import type { Sql } from "@pro-talent/platform/postgres/pool";

import { contactDetails } from "../domains/contact/testing/contact-samples.ts";
import { issueText } from "../domains/newsletter/issue/issue.ts";
import { issueIdOf } from "../domains/newsletter/issue/issues.ts";
import { sampleIssue } from "../domains/newsletter/issue/testing/issues.ts";
import { canonicalJson, type Json } from "../kernel/canonical-json.ts";
import { readFrozenFixtures } from "../kernel/testing/frozen-fixtures.ts";
import { testSecrets } from "./create-test-ledger.ts";

const folderOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
type JsonRow = Readonly<Record<string, Json>>;
type Change = { table: string; put?: readonly JsonRow[]; gone?: readonly JsonRow[] };

/** Applies the migrations up to 0010 to an empty database. */
export async function migrateTo0010(ownerUrl: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "migrations-"));
  const migrations = folderOf("migrations");
  for (const file of await readdir(migrations)) {
    if (file < "0011") await cp(join(migrations, file), join(directory, file));
  }
  const owner = connectPostgres(ownerUrl, { max: 1, applicationName: "test" });
  await migratePostgres(owner, { schema: "ledger", directory });
  await owner.end();
  await rm(directory, { recursive: true });
}

/** The call of version 0010 that appends one event: without a cause, its rows by table. */
export async function appendAs0010(
  sql: Sql,
  stream: string,
  event: { type: string; data: string; sealed?: string; key_id?: string },
  changes: readonly Change[] = [],
): Promise<void> {
  const events = [{ id: randomUUID(), sv: 1, meta: "{}", ...event }];
  await sql`select a.* from ledger.append(${randomUUID()}, ${randomBytes(32)}, ${stream}, -3,
    ${JSON.stringify(events)}::text::jsonb, '{}', ${JSON.stringify(changes)}::text::jsonb) a`;
}

/** A stored event in the first version of its type, unless changed. */
function storedEvent(domain: string, file: string, change: JsonRow = {}) {
  const frozen = readFrozenFixtures(folderOf(`domains/${domain}/fixtures`)).get(`${file}.v1.json`);
  if (frozen === undefined) throw new Error(`There is no fixture ${file}`);
  const data: JsonRow = JSON.parse(frozen.data);
  return { type: frozen.type, data: canonicalJson({ ...data, ...change }) };
}

/** Makes a data subject. @returns its sealed personal data, as an event takes it */
async function sealed(
  sql: Sql,
  make: "open_subscriber" | "new_sender",
  id: string,
  personal: { readonly email: string } & JsonRow,
): Promise<{ sealed: string; key_id: string }> {
  const { wrappingKey, lookupKey } = testSecrets;
  const key = randomBytes(32);
  const lookup = createHmac("sha256", lookupKey).update(personal.email).digest();
  const wrappingKeyId = createHash("sha256").update(wrappingKey).digest("hex").slice(0, 8);
  await sql`select ${sql(`ledger.${make}`)}(
    ${id}, ${lookup}, ${seal(wrappingKey, key, id)}, ${wrappingKeyId})`;
  const bytes = seal(key, Buffer.from(canonicalJson(personal)), id);
  return { sealed: bytes.toString("base64"), key_id: id };
}

async function decideConsent(sql: Sql, visitor_id: string, granted: boolean): Promise<void> {
  const event = storedEvent("consent", granted ? "consent-granted" : "consent-withdrawn", {
    receiptId: randomUUID(),
  });
  const put = [{ visitor_id, purpose: "analytics", granted, pos: 0 }];
  await appendAs0010(sql, `consent-${visitor_id}`, event, [{ table: "consent_current", put }]);
}

/** A contact message whose matter is settled; its details are not erased yet. */
async function settleMessage(sql: Sql, messageId: string): Promise<void> {
  const stream = `contact-${messageId}`;
  const personal = await sealed(sql, "new_sender", messageId, { ...contactDetails() });
  const received = storedEvent("contact", "contact-message-received");
  const names = ["contact.notify-support", "contact.acknowledge"];
  const mails = names.map((name) => ({ name, payload: { messageId }, pos: 0 }));
  await appendAs0010(sql, stream, { ...received, ...personal }, [{ table: "outbox", put: mails }]);
  const erasure = { name: "contact.erase-letter", payload: { messageId }, pos: 0 };
  await appendAs0010(sql, stream, storedEvent("contact", "contact-matter-settled"), [
    { table: "outbox", put: [erasure] },
  ]);
}

/** A request with a place on the waitlist, so long ago that its timer is due. */
async function subscribe(sql: Sql, subscriber_id: string, email: string): Promise<void> {
  const stream = `newsletter-${subscriber_id}`;
  const requestedAt = "2020-01-05T08:00:00.000Z";
  const event = storedEvent("newsletter", "subscription-requested", { requestedAt });
  const personal = await sealed(sql, "open_subscriber", subscriber_id, { email, agreedText: null });
  const wishes = { language: "he", frequency: "weekly", topics: "launch,updates,early_bird" };
  const timer = { stream, name: "newsletter.erase-unconfirmed", due_at: requestedAt, pos: 0 };
  await appendAs0010(sql, stream, { ...event, ...personal }, [
    { table: "newsletter_standing", put: [{ subscriber_id, status: "pending", pos: 0 }] },
    { table: "newsletter_wishes", put: [{ subscriber_id, ...wishes, pos: 0 }] },
    { table: "due_timer", put: [timer] },
    mailAbout("newsletter.confirm-address", { subscriberId: subscriber_id, mail: 1 }),
  ]);
}

const mailAbout = (name: string, payload: JsonRow): Change => ({
  table: "outbox",
  put: [{ name, payload, pos: 0 }],
});

async function confirm(sql: Sql, subscriber_id: string): Promise<void> {
  const stream = `newsletter-${subscriber_id}`;
  await appendAs0010(sql, stream, storedEvent("newsletter", "subscription-confirmed"), [
    { table: "newsletter_standing", put: [{ subscriber_id, status: "confirmed", pos: 0 }] },
    { table: "due_timer", gone: [{ stream, name: "newsletter.erase-unconfirmed" }] },
    mailAbout("newsletter.welcome", { subscriberId: subscriber_id }),
  ]);
}

/** An issue whose delivery has begun. @param sentTo the subscriber who has received it */
async function releaseIssue(sql: Sql, slug: string, sentTo: string): Promise<void> {
  const issue_id = issueIdOf(slug);
  const content = issueText(sampleIssue({ slug }));
  const [row] = await sql<{ hash: string }[]>`select ledger.keep_issue_content(${content}) as hash`;
  const content_hash = row?.hash ?? "";
  const about = { slug, topics: ["updates"], frequencies: ["weekly"], contentHash: content_hash };
  const list = { topics: "updates", frequencies: "weekly" };
  const delivery = { name: "newsletter.deliver-issue", payload: { issueId: issue_id, part: 1 } };
  await appendAs0010(
    sql,
    `issue-${issue_id}`,
    storedEvent("newsletter/issue", "issue-released", about),
    [
      { table: "newsletter_issue", put: [{ issue_id, slug, ...list, content_hash, pos: 0 }] },
      { table: "outbox", put: [{ ...delivery, pos: 0 }] },
    ],
  );
  await sql`select ledger.begin_issue_part(${issue_id}, 1)`;
  await sql`select ledger.settle_letter(${issue_id}, ${sentTo}, 'sent')`;
}

/** The things of a ledger of version 0010, by their ids; the issue by its slug. */
export const things = {
  consenting: randomUUID(),
  withdrawn: randomUUID(),
  message: randomUUID(),
  noa: randomUUID(),
  dan: randomUUID(),
  unconfirmed: randomUUID(),
  issue: "first-look",
};

/**
 * Fills a ledger of version 0010 by its own functions, as its service did: two visitors, a settled
 * message, three subscribers, and an issue that noa has received and dan has not. Mails to one person
 * have been sent.
 * @param sql a pool of the role `ledger_app`
 */
export async function fillAs0010(sql: Sql): Promise<void> {
  await decideConsent(sql, things.consenting, true);
  await decideConsent(sql, things.withdrawn, true);
  await decideConsent(sql, things.withdrawn, false);
  await settleMessage(sql, things.message);
  for (const name of ["noa", "dan", "unconfirmed"] as const) {
    await subscribe(sql, things[name], `${name}@example.com`);
  }
  await confirm(sql, things.noa);
  await confirm(sql, things.dan);
  await sql`update ledger.outbox set turn = 1, done_at = clock_timestamp()
    where name not in ('contact.erase-letter', 'newsletter.deliver-issue')`;
  await releaseIssue(sql, things.issue, things.noa);
}
