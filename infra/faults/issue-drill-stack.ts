import { createHash, randomUUID } from "node:crypto";

import { newsletterSubscribers } from "@pro-talent/ledger/domains/newsletter/subscriber.read-model";
import {
  newsletterEvents,
  newsletterSubscriber,
} from "@pro-talent/ledger/domains/newsletter/subscribers";
import {
  confirmed,
  requested,
  start,
} from "@pro-talent/ledger/domains/newsletter/testing/histories";
import { append } from "@pro-talent/ledger/kernel/append";
import type { Ledger } from "@pro-talent/ledger/kernel/commands";
import { openKeyring } from "@pro-talent/ledger/kernel/keys/keyring";
import { openLedgerKeys } from "@pro-talent/ledger/kernel/keys/open-keys";
import { inlineChanges } from "@pro-talent/ledger/kernel/read-model";
import { openSubjects } from "@pro-talent/ledger/kernel/subjects";
import { readModels } from "@pro-talent/ledger/modules";
import { testCause } from "@pro-talent/ledger/testing/create-test-ledger";
import { openPool } from "@pro-talent/platform/postgres/pool";
import { createLogger } from "@pro-talent/platform/runtime/logger";
import type { NewsletterTag, NewsletterTopic } from "@pro-talent/schemas/newsletter/categories";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { OWNER_ROLE } from "../postgres/roles.ts";
import { migrate, processUnderDrill, startDatabase } from "./drill-services.ts";
import { startRedis } from "./redis-server.ts";

/** Postgres and one worker that sends mail through `smtpUrl`, to be disturbed. */
export type IssueDrillStack = Awaited<ReturnType<typeof startIssueDrillStack>>;

/** Where the jobs of a drill wait. */
export type QueueKind = "postgres" | "redis";

/** Starts everything in `directory`, which must be empty, but the worker: the caller starts it. */
export async function startIssueDrillStack(
  directory: string,
  smtpUrl: string,
  kind: QueueKind,
  /** Of the worker. */
  settings: Readonly<Record<string, string>> = {},
) {
  const database = await startDatabase(directory);
  const { context } = database;
  await migrate(context, "ledger");
  const redis = kind === "redis" ? await startRedis(directory) : undefined;
  const environment = { SMTP_URL: smtpUrl, ...settings, ...(redis && { QUEUE_URL: redis.url }) };
  const worker = await processUnderDrill(context, "ledger-worker", { environment });
  const sql = openPool(context.databaseUrl("ledger_app"), { max: 10, applicationName: "drill" });
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 1, applicationName: "drill" });
  const ledger: Ledger = { sql, readModels };
  const log = createLogger({ service: "drill", level: "warn" });
  const keyring = openKeyring({ sql, keys: openLedgerKeys(context.keys), log });
  return {
    worker,
    ledger,
    owner,
    redis,
    subjects: openSubjects(sql, keyring),
    stop: async (): Promise<void> => {
      await worker.stop();
      await redis?.stop();
      await Promise.all([sql.end(), owner.end()]);
      await database.stop();
    },
  };
}

const atOnce = 8;

/**
 * Makes confirmed subscribers with the ledger's own append, every fifth of them also for launches,
 * with a place on the waitlist, and every third in Hebrew. They cause no mail: the drill counts its
 * issue mails alone.
 */
export async function makeSubscribers(stack: IssueDrillStack, subscribers: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < subscribers; n = next++) await makeSubscriber(stack, n);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function makeSubscriber({ ledger, subjects }: IssueDrillStack, n: number): Promise<void> {
  const email = `reader-${n}@example.com`;
  const language = n % 3 === 0 ? "he" : "en";
  const waits = n % 5 === 0;
  const topics: NewsletterTopic[] = waits ? ["updates", "launch"] : ["updates"];
  const tags: NewsletterTag[] = waits ? ["waitlist"] : [];
  const subject = await subjects.withAddress(newsletterSubscriber, email);
  const stream = newsletterEvents.streamOf(subject.id);
  const nowMs = Date.now();
  const events = [requested(1, nowMs - Date.parse(start), { language, topics, tags }), confirmed];
  const occurredAt = instantFromMs(nowMs);
  const added = events.map((event) => ({ event, stream, id: subject.id, occurredAt }));
  const result = await append(ledger, {
    family: newsletterEvents,
    stream,
    expected: "absent",
    events,
    sealed: { ...subject.seal({ email, agreedText: null }), type: "SubscriptionRequested" },
    commandId: randomUUID(),
    bodyHash: createHash("sha256").update(subject.id).digest(),
    reply: "{}",
    cause: testCause(),
    changes: inlineChanges([newsletterSubscribers], {}, added),
  });
  if (result.status !== "appended") throw new Error(`A subscriber was not made: ${result.status}`);
}
