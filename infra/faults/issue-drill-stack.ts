import { createHash, randomUUID } from "node:crypto";

import { append } from "@pro-talent/ledger/event-store/append";
import type { EventStore } from "@pro-talent/ledger/event-store/event-store";
import {
  newsletterEvents,
  newsletterStream,
} from "@pro-talent/ledger/newsletter/newsletter-events";
import { newsletterSubscriber } from "@pro-talent/ledger/newsletter/subscriber.projection";
import { confirmed, requested, start } from "@pro-talent/ledger/newsletter/testing/histories";
import { openSubjects } from "@pro-talent/ledger/subjects/subjects";
import { openPool } from "@pro-talent/platform/postgres/pool";
import type { NewsletterTopic } from "@pro-talent/schemas/newsletter/categories";

import { OWNER_ROLE } from "../postgres/roles.ts";
import { migrate, serviceUnderDrill, startDatabase } from "./drill-services.ts";

/** Postgres and one worker that sends mail through `smtpUrl`, to be disturbed. */
export type IssueDrillStack = Awaited<ReturnType<typeof startIssueDrillStack>>;

/** Starts everything in `directory`, which must be empty, but the worker: the caller starts it. */
export async function startIssueDrillStack(directory: string, smtpUrl: string) {
  const database = await startDatabase(directory);
  const { context } = database;
  await migrate(context, "ledger");
  await migrate(context, "worker");
  const worker = await serviceUnderDrill(context, "worker", { environment: { SMTP_URL: smtpUrl } });
  const sql = openPool(context.databaseUrl("ledger_app"), { max: 10, applicationName: "drill" });
  const owner = openPool(context.databaseUrl(OWNER_ROLE), { max: 1, applicationName: "drill" });
  const store: EventStore = { sql };
  return {
    worker,
    store,
    owner,
    subjects: openSubjects(sql, context.keys),
    stop: async (): Promise<void> => {
      await worker.stop();
      await Promise.all([sql.end(), owner.end()]);
      await database.stop();
    },
  };
}

const atOnce = 8;

/**
 * Makes confirmed subscribers with the ledger's own append, every fifth of them also for launches
 * and every third in Hebrew. They cause no mail: the drill counts its issue mails alone.
 */
export async function makeSubscribers(stack: IssueDrillStack, subscribers: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < subscribers; n = next++) await makeSubscriber(stack, n);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function makeSubscriber({ store, subjects }: IssueDrillStack, n: number): Promise<void> {
  const email = `reader-${n}@example.com`;
  const language = n % 3 === 0 ? "he" : "en";
  const topics: NewsletterTopic[] = n % 5 === 0 ? ["updates", "launch"] : ["updates"];
  const subject = await subjects.subscriber(email);
  const result = await append(store, {
    family: newsletterEvents,
    stream: newsletterStream(subject.id),
    expected: "absent",
    events: [requested(1, Date.now() - Date.parse(start), { language, topics }), confirmed],
    sealed: { ...subject.seal({ email, agreedText: null }), type: "SubscriptionRequested" },
    commandId: randomUUID(),
    bodyHash: createHash("sha256").update(subject.id).digest(),
    reply: "{}",
    inline: [newsletterSubscriber],
  });
  if (result.status !== "appended") throw new Error(`A subscriber was not made: ${result.status}`);
}
