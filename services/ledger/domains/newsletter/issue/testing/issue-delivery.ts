import type { Mail } from "@pro-talent/platform/mail/mailer";

import { deliverMessage } from "../../outbox/deliver.ts";
import type { MessageHandlers } from "../../outbox/message-handlers.ts";
import type { TestLedger } from "../../testing/create-test-ledger.ts";
import { createIssueHandlers, type IssueDelivery } from "../deliver-issue.ts";
import { readerOf } from "./subscribers.ts";

/** A host's handlers that send into a list, as fast as they can, unless changed. */
export function testHandlers(
  ledger: TestLedger,
  change: Partial<IssueDelivery> = {},
): { handlers: MessageHandlers; sent: Mail[] } {
  const sent: Mail[] = [];
  const handlers = createIssueHandlers({
    store: ledger.store,
    mailer: { send: async (mail) => void sent.push(mail) },
    readSubscriber: async (id) => readerOf(id),
    onRefused: async () => undefined,
    perSecond: 100_000,
    clock: () => 0,
    origin: "https://site.example",
    signal: new AbortController().signal,
    ...change,
  });
  return { handlers, sent };
}

/** Delivers the messages of an issue that are due, the new ones too. @throws as the handlers do */
export async function deliverDue(
  ledger: TestLedger,
  handlers: MessageHandlers,
  issueId: string,
): Promise<void> {
  for (;;) {
    const [due] = await ledger.sql<{ id: number }[]>`
      select id from ledger.outbox
       where payload->>'issueId' = ${issueId} and done_at is null and due_at <= clock_timestamp()
       order by id limit 1`;
    if (due === undefined) return;
    await deliverMessage(ledger.sql, handlers, due.id);
  }
}

/** Lets the time pass that delayed letters, and messages that wait for them, have to wait. */
export async function letTimePass(ledger: TestLedger, issueId: string): Promise<void> {
  await ledger.owner`update ledger.issue_delivery set due_at = clock_timestamp()
    where issue_id = ${issueId} and state = 'waiting'`;
  await ledger.owner`update ledger.outbox set due_at = clock_timestamp()
    where payload->>'issueId' = ${issueId} and done_at is null`;
}
