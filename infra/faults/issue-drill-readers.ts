import { createHash, randomUUID } from "node:crypto";

import { append } from "@pro-talent/ledger/event-store/append";
import type { EventStore } from "@pro-talent/ledger/event-store/event-store";
import {
  newsletterEvents,
  newsletterStream,
} from "@pro-talent/ledger/newsletter/newsletter-events";
import { newsletterSubscriber } from "@pro-talent/ledger/newsletter/subscriber.projection";
import type { Subjects } from "@pro-talent/ledger/subjects/subjects";
import type { NewsletterTopic } from "@pro-talent/schemas/newsletter/categories";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import type { NewsletterEvent } from "@pro-talent/schemas/newsletter/events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";

const atOnce = 8;
const hourMs = 60 * 60 * 1000;

/** The address of a reader of the drill. */
export function readerAddress(n: number): string {
  return `reader-${n}@example.com`;
}

/**
 * Makes confirmed subscribers with the ledger's own append, every fifth of them also for launches
 * and every third in Hebrew. No mail follows from it: the drill's letters alone are counted.
 */
export async function subscribeReaders(
  store: EventStore,
  subjects: Subjects,
  readers: number,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < readers; n = next++) await subscribeReader(store, subjects, n);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function subscribeReader(store: EventStore, subjects: Subjects, n: number): Promise<void> {
  const email = readerAddress(n);
  const subject = await subjects.subscriber(email);
  const result = await append(store, {
    family: newsletterEvents,
    stream: newsletterStream(subject.id),
    expected: "absent",
    events: eventsOf(n, instantFromMs(Date.now())),
    sealed: { ...subject.seal({ email, agreedText: null }), type: "SubscriptionRequested" },
    commandId: randomUUID(),
    bodyHash: createHash("sha256").update(subject.id).digest(),
    reply: "{}",
    inline: [newsletterSubscriber],
  });
  if (result.status !== "appended") throw new Error(`A reader was not made: ${result.status}`);
}

function eventsOf(n: number, requestedAt: Instant): NewsletterEvent[] {
  const language = n % 3 === 0 ? "he" : "en";
  const topics: NewsletterTopic[] = n % 5 === 0 ? ["updates", "launch"] : ["updates"];
  const [shown] = newsletterConsentTexts;
  if (shown === undefined) throw new Error("There is no consent text");
  const textHash = createHash("sha256").update(shown.text[language]).digest("hex");
  return [
    {
      type: "SubscriptionRequested",
      data: {
        language,
        frequency: "weekly",
        topics,
        sourceContext: "footer_form",
        tags: [],
        agreed: { language, version: shown.version, textHash },
        mail: 1,
        requestedAt,
        confirmBy: instantFromMs(Date.parse(requestedAt) + 48 * hourMs),
      },
    },
    { type: "SubscriptionConfirmed", data: {} },
  ];
}
