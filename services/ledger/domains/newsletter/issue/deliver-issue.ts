import type { Clock } from "@pro-talent/platform/runtime/clock";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { EventStore } from "../event-store/event-store.ts";
import type { MessageHandlers } from "../outbox/message-handlers.ts";
import { createComposer } from "./compose-letter.ts";
import { deliverLetter, type LetterDelivery } from "./deliver-letter.ts";
import { beginPart, continueIssue, readContent } from "./delivery-store.ts";
import { concludeIssue, deliverIssueMessage } from "./release-issue.ts";
import { createThrottle, monotonicPace, type Pace, type Throttle } from "./throttle.ts";

const Part = z.strictObject({ issueId: Uuid, part: z.int().positive().default(1) });
type Part = z.infer<typeof Part>;

export type IssueDelivery = Omit<LetterDelivery, "sql"> & {
  /** As the role `ledger_app`. */
  readonly store: EventStore;
  readonly clock: Clock;
  /** Of the site, as in `https://example.com`. */
  readonly origin: string;
  /** Letters a second, of this process. */
  readonly perSecond: number;
  /** Ends the delivery between two letters; what is left is asked for again. */
  readonly signal: AbortSignal;
  /** How long one message delivers before the next one goes on. */
  readonly partMs?: number;
  readonly pace?: Pace;
};

/** Shorter than the outbox's first wait, and than its patience with a lock. */
const partMsUsual = 60_000;
/** So many delays in a row are not the readers' mail servers but our own way out. */
const delaysMax = 3;

/**
 * Handles `newsletter.deliver-issue`: sends the letters of an issue that are due, one after another,
 * for a minute at most. Then, if letters wait, the next part is asked for by a message of its own; if
 * none does, the issue is concluded. One delivery at a time in a process; several processes may work
 * on one issue.
 */
export function createIssueHandlers(delivery: IssueDelivery): MessageHandlers {
  const throttle = createThrottle(delivery.perSecond, delivery.pace);
  let last: Promise<unknown> = Promise.resolve();
  return {
    [deliverIssueMessage]: (payload) => {
      const part = Part.parse(payload);
      const run = last.then(() => deliverPart(delivery, throttle, part));
      last = run.catch(() => undefined);
      return run;
    },
  };
}

async function deliverPart(
  delivery: IssueDelivery,
  throttle: Throttle,
  { issueId, part }: Part,
): Promise<void> {
  const { store } = delivery;
  const begun = await beginPart(store.sql, issueId, part);
  if (begun !== "progressed") await deliverLetters(delivery, throttle, issueId);
  const waiting = await continueIssue(store.sql, issueId, part);
  if (waiting > 0) return;
  const outcome = await concludeIssue(store, issueId, instantFromMs(delivery.clock()));
  if (outcome.kind === "refusal") throw new Error(`The issue is not concluded: ${outcome.code}`);
}

/** @throws what the mail server, or the way to it, answered to the last letters */
async function deliverLetters(
  delivery: IssueDelivery,
  throttle: Throttle,
  issueId: string,
): Promise<void> {
  const { store, signal, partMs = partMsUsual, pace = monotonicPace } = delivery;
  const compose = createComposer(await readContent(store.sql, issueId), delivery.origin);
  const letters: LetterDelivery = { ...delivery, sql: store.sql };
  const end = pace.now() + partMs;
  let delays = 0;
  while (pace.now() < end) {
    await throttle.turn(signal);
    if (signal.aborted) return;
    const outcome = await deliverLetter(letters, issueId, compose);
    if (outcome.status === "none") return;
    delays = outcome.status === "delayed" ? delays + 1 : 0;
    if (outcome.status === "delayed" && delays >= delaysMax) throw outcome.error;
  }
}
