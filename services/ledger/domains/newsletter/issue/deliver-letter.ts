import { type Mailer, MailRefused } from "@pro-talent/platform/mail/mailer";
import type { Sql } from "@pro-talent/platform/postgres/pool";

import { type createComposer, type IssueReader, letterId } from "./compose-letter.ts";
import { delayLetter, type SettledState, settleLetter, takeLetter } from "./delivery-store.ts";

export type LetterDelivery = {
  /** A pool of the role `ledger_app`; one connection holds the letter while it is sent. */
  readonly sql: Sql;
  readonly mailer: Pick<Mailer, "send">;
  /** The subscriber as of now; undefined when nothing is wanted any longer. */
  readonly readSubscriber: (subscriberId: string) => Promise<IssueReader | undefined>;
  /** The reader's mail server refused the address for good. May be told twice. */
  readonly onRefused: (subscriberId: string) => Promise<void>;
  /** Told what became of each attempt, for counters. */
  readonly observe?: (outcome: SettledState | "delayed") => void;
};

/** `none`: no letter is due, or others have those that are. */
export type LetterOutcome =
  | { readonly status: "none" | "settled" }
  | { readonly status: "delayed"; readonly error: unknown };

/**
 * Sends one letter that is due. It is locked until the database knows what became of it, so that no
 * other host sends it as well, and whether it is wanted is asked when it is its turn. A process that
 * dies between the mail server's answer and the commit leaves this one letter to be sent again.
 * @throws when the database is away
 */
export async function deliverLetter(
  delivery: LetterDelivery,
  issueId: string,
  compose: ReturnType<typeof createComposer>,
): Promise<LetterOutcome> {
  return await delivery.sql.begin(async (tx) => {
    // A machine that vanished with the lock must not keep it; no mail is on its way that long.
    await tx`set local idle_in_transaction_session_timeout = '5min'`;
    const subscriberId = await takeLetter(tx, issueId);
    if (subscriberId === undefined) return { status: "none" };
    const letter = { issueId, subscriberId };
    let state: SettledState;
    try {
      state = await sendLetter(delivery, letter, compose);
    } catch (error) {
      // Whatever is wrong with one letter, the others go on; without a database this fails as well.
      await delayLetter(tx, letter);
      delivery.observe?.("delayed");
      return { status: "delayed", error };
    }
    await settleLetter(tx, letter, state);
    delivery.observe?.(state);
    return { status: "settled" };
  });
}

async function sendLetter(
  { mailer, readSubscriber, onRefused }: LetterDelivery,
  { issueId, subscriberId }: { readonly issueId: string; readonly subscriberId: string },
  compose: ReturnType<typeof createComposer>,
): Promise<SettledState> {
  const reader = await readSubscriber(subscriberId);
  if (reader === undefined) return "skipped";
  try {
    await mailer.send(compose(letterId(issueId, subscriberId), reader));
    return "sent";
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await onRefused(subscriberId);
    return "refused";
  }
}
