import {
  MailDelayed,
  type Mailer,
  MailRefused,
  MailRejected,
  MailUncertain,
} from "@pro-talent/platform/mail/mailer";
import {
  createThrottle,
  monotonicPace,
  type Pace,
  type Throttle,
} from "@pro-talent/platform/runtime/wait";
import { Uuid } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import type { WorkerContext } from "../../../kernel/module.ts";
import type { MessageHandlers } from "../../../kernel/outbox.ts";
import type { Cause } from "../../../kernel/types.ts";
import { isAddressRestricted } from "../../../restriction.ts";
import { mailLinks } from "../mail-tokens.ts";
import { recordRefusal } from "../messages.ts";
import { readSubscriber } from "../subscribers.ts";
import { createComposer, issueMailId, type Recipient } from "./compose-mail.ts";
import {
  beginPart,
  continueIssue,
  delayDelivery,
  type Delivery,
  doubtDelivery,
  readContent,
  settleDelivery,
  type SettledState,
  takeDelivery,
} from "./delivery-store.ts";
import { concludeIssue, deliverIssueMessage, isStopped, stopIssue } from "./issues.ts";

const Part = z.strictObject({ issueId: Uuid, part: z.int().positive().default(1) });
type Part = z.infer<typeof Part>;

/** What a delivery works with; one database connection holds a delivery while its mail is sent. */
export type IssueDelivery = Pick<
  WorkerContext,
  "ledger" | "clock" | "publicOrigin" | "stopping"
> & {
  readonly mailer: Pick<Mailer, "send">;
  /** The subscriber as of now; undefined when no mail is wanted any longer. */
  readonly findRecipient: (subscriberId: string) => Promise<Recipient | undefined>;
  /** The subscriber's mail server refused the address permanently. May be called twice. */
  readonly onRefused: (subscriberId: string, cause: Cause) => Promise<void>;
  /** The sender's, for the footer; may be empty. */
  readonly postalAddress: string;
  /** Mails a second, of this process. */
  readonly perSecond: number;
  /** How long one message delivers before the next one continues. */
  readonly partMs?: number;
  readonly pace?: Pace;
};

/** Shorter than the outbox's first wait, and than its limit for a lock. */
const partMsUsual = 60_000;
/** So many delays in a row are not the subscribers' mail servers but our own connection. */
const delaysMax = 3;
/** So many refusals of us in a row concern every mail: an operator has to remove the cause. */
const rejectionsMax = 5;

/** The handlers of the worker: a recipient is a subscriber who is confirmed at that moment. */
export function issueMessageHandlers(
  context: WorkerContext,
  options: Pick<IssueDelivery, "perSecond" | "postalAddress">,
): MessageHandlers {
  const links = mailLinks(context);
  return createIssueHandlers({
    ...context,
    ...options,
    onRefused: (subscriberId, cause) => recordRefusal(context, subscriberId, cause),
    findRecipient: async (subscriberId) => {
      const subscriber = await readSubscriber(context, subscriberId);
      if (subscriber?.state.status !== "confirmed") return undefined;
      if (await isAddressRestricted(context, subscriber.email)) return undefined;
      const admission = await context.mailboxes.admit(subscriber.email, undefined);
      if (admission !== "admitted") return undefined;
      return {
        email: subscriber.email,
        language: subscriber.state.asked.language,
        manageUrl: links.manage(subscriberId),
        unsubscribeUrl: links.unsubscribe(subscriberId),
        feedbackId: context.mailboxes.feedbackIdOf(subscriber.email),
      };
    },
  });
}

/**
 * Handles `newsletter.deliver-issue`: sends the mails of an issue that are due, one after another, for
 * a minute at most. Then, if deliveries wait, the next part is requested by a message of its own; if
 * none does, the issue is concluded. Five refusals in a row that are not about the addresses stop it
 * until it is resumed. One delivery at a time in a process; several processes may work on one issue.
 */
export function createIssueHandlers(delivery: IssueDelivery): MessageHandlers {
  const throttle = createThrottle(delivery.perSecond, delivery.pace);
  let last: Promise<unknown> = Promise.resolve();
  return {
    [deliverIssueMessage]: (payload, cause) => {
      const part = Part.parse(payload);
      const run = last.then(() => deliverPart({ ...delivery, cause, throttle }, part));
      last = run.catch(() => undefined);
      return run;
    },
  };
}

type PartDelivery = IssueDelivery & { readonly cause: Cause; readonly throttle: Throttle };

async function deliverPart(delivery: PartDelivery, { issueId, part }: Part): Promise<void> {
  const { ledger, cause } = delivery;
  if (await isStopped(ledger, issueId)) return;
  const begun = await beginPart(ledger.sql, issueId, part);
  const rejected = begun === "progressed" ? undefined : await deliverDue(delivery, issueId);
  const now = instantFromMs(delivery.clock());
  if (rejected !== undefined) {
    const stopped = await stopIssue(ledger, issueId, {
      now,
      cause,
      part,
      answer: rejected.message,
    });
    if (stopped.kind === "refusal") throw new Error(`The issue is not stopped: ${stopped.code}`);
    return;
  }
  const waiting = await continueIssue(ledger.sql, issueId, part);
  if (waiting > 0) return;
  const result = await concludeIssue(ledger, issueId, { now, cause });
  if (result.kind === "refusal") throw new Error(`The issue is not concluded: ${result.code}`);
}

type Compose = ReturnType<typeof createComposer>;

/**
 * @returns the last of the refusals that stop the issue
 * @throws what the mail server, or the connection to it, answered to the last mails
 */
async function deliverDue(
  delivery: PartDelivery,
  issueId: string,
): Promise<MailRejected | undefined> {
  const { ledger, stopping, partMs = partMsUsual, pace = monotonicPace } = delivery;
  const { publicOrigin: origin, postalAddress } = delivery;
  const compose = createComposer(await readContent(ledger.sql, issueId), { origin, postalAddress });
  const end = pace.now() + partMs;
  let [delays, rejections] = [0, 0];
  while (pace.now() < end) {
    await delivery.throttle.turn(stopping);
    if (stopping.aborted) return undefined;
    const result = await deliverOne(delivery, issueId, compose);
    if (result.status === "none") return undefined;
    if (result.status === "answered") [delays, rejections] = [0, 0];
    if (result.status !== "delayed") continue;
    if (result.error instanceof MailRejected) {
      rejections += 1;
      if (rejections >= rejectionsMax) return result.error;
    } else {
      delays += 1;
      // The attempts of a part are many, unlike those of a mail that may have arrived.
      if (delays >= delaysMax) throw delayOf(result.error);
    }
  }
  return undefined;
}

function delayOf(error: unknown): unknown {
  return error instanceof MailUncertain ? new MailDelayed(error.message) : error;
}

/**
 * `none`: no delivery is due, or other workers have those that are. `answered`: the mail server took
 * the mail, or does not know the mailbox. `skipped`: it was not asked.
 */
type DeliveryResult =
  | { readonly status: "none" | "answered" | "skipped" }
  | { readonly status: "delayed"; readonly error: unknown };

/**
 * Sends one mail that is due. Its delivery is locked until its state is committed, so that no other
 * worker sends it as well, and whether it is wanted is read at that moment. A process that dies
 * between the mail server's answer and the commit leaves this one mail to be sent again.
 * @throws when the database is away
 */
async function deliverOne(
  delivery: PartDelivery,
  issueId: string,
  compose: Compose,
): Promise<DeliveryResult> {
  return await delivery.ledger.sql.begin(async (tx) => {
    // A machine that vanished with the lock must not keep it; no mail is on its way that long.
    await tx`set local idle_in_transaction_session_timeout = '5min'`;
    const subscriberId = await takeDelivery(tx, issueId);
    if (subscriberId === undefined) return { status: "none" };
    const one = { issueId, subscriberId };
    let state: SettledState;
    try {
      state = await sendMail(delivery, one, compose);
    } catch (error) {
      // Whatever is wrong with one mail, the others go on; without a database this fails as well.
      if (error instanceof MailUncertain) await doubtDelivery(tx, one);
      else await delayDelivery(tx, one);
      return { status: "delayed", error };
    }
    await settleDelivery(tx, one, state);
    return { status: state === "skipped" ? "skipped" : "answered" };
  });
}

async function sendMail(
  { mailer, findRecipient, onRefused, cause }: PartDelivery,
  { issueId, subscriberId }: Delivery,
  compose: Compose,
): Promise<SettledState> {
  const recipient = await findRecipient(subscriberId);
  if (recipient === undefined) return "skipped";
  try {
    await mailer.send(compose(issueMailId(issueId, subscriberId), recipient));
    return "sent";
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await onRefused(subscriberId, cause);
    return "refused";
  }
}
