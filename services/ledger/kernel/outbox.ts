import { MailUncertain } from "@pro-talent/platform/mail/mailer";
import type { Queryable, Sql } from "@pro-talent/platform/postgres/pool";
import type { JobQueue } from "@pro-talent/platform/queue/connect-queue";
import { defineJob, handleJob, type RunnableJob } from "@pro-talent/platform/queue/define-job";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";
import { inSpan } from "@pro-talent/platform/tracing/spans";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { z } from "zod";

import { type Cause, causeAfter } from "./types.ts";

/**
 * What is done about a message of the outbox. It parses its payload, may be called again for the same
 * message, and throws to be tried again. Commands that it issues carry the cause.
 */
export type MessageHandler = (payload: unknown, cause: Cause) => Promise<void>;

/** By `OutboxMessage.name`. */
export type MessageHandlers = Readonly<Record<string, MessageHandler>>;

/**
 * `elsewhere`: another worker has the message, or it is settled; nothing was done here. `uncertain`: a
 * mail may have been delivered, and waits for hours; `given_up`: it may have been delivered twice.
 */
export type DeliveryOutcome = "delivered" | "failed" | "elsewhere" | "uncertain" | "given_up";

/** Receives each attempt, for counters; the name is one of the handlers'. */
export type ObserveDelivery = (attempt: { name: string; outcome: DeliveryOutcome }) => void;

/** A message that no handler is known for, perhaps of a newer version of the product. It is kept. */
export class UnknownMessage extends Error {
  override readonly name = "UnknownMessage";
}

type MessageRow = { name: string; payload: unknown; event_id: string | null; meta: string | null };

/**
 * Delivers one message of the outbox, unless it is settled or another worker has it. The message is
 * locked on a connection of its own while its handler runs, and is done when that transaction is
 * committed: a worker that dies between the two leaves a message that is delivered again, and that
 * is the only way in which a message is delivered twice.
 * @throws UnknownMessage; whatever the handler throws. The message then waits for its next attempt
 */
export async function deliverMessage(
  sql: Sql,
  handlers: MessageHandlers,
  outboxId: number,
  observe?: ObserveDelivery,
): Promise<DeliveryOutcome> {
  const result = await sql.begin(async (tx) => {
    // A machine that vanished with the lock must not keep it; the handlers' own limits are shorter.
    await tx`set local idle_in_transaction_session_timeout = '10min'`;
    const [row] = await tx<MessageRow[]>`
      select o.name, o.payload, e.event_id, e.meta
        from ledger.outbox o left join ledger.event e on e.pos = o.pos
       where o.id = ${outboxId} and o.done_at is null and o.given_up_at is null
         for update of o skip locked`;
    if (row === undefined) return undefined;
    try {
      const cause = causeAfter(`message:${row.name}`, row.event_id, row.meta);
      const { name, payload } = row;
      await inSpan(`message ${name}`, { of: cause.correlationId, fields: { message: name } }, () =>
        handlerOf(handlers, name)(payload, cause),
      );
    } catch (error) {
      // Committed, and no failure of the job: that one would be repeated within seconds.
      if (error instanceof MailUncertain) {
        return { name: row.name, outcome: await postpone(tx, outboxId) };
      }
      observe?.({ name: row.name, outcome: "failed" });
      throw error;
    }
    await tx`update ledger.outbox set done_at = ledger.now() where id = ${outboxId}`;
    return { name: row.name, outcome: "delivered" } as const;
  });
  if (result === undefined) return "elsewhere";
  observe?.(result);
  return result.outcome;
}

/** How long a mail that may have been delivered waits for its second and last attempt. */
const uncertainHours = 4;

/**
 * A mail that may have been delivered is attempted once more, so that there are two copies at most: what
 * follows is the last of all attempts, or there is none left.
 */
async function postpone(tx: Queryable, outboxId: number): Promise<"uncertain" | "given_up"> {
  const last = attemptsMax - 1;
  const [row] = await tx<{ given_up: boolean }[]>`
    update ledger.outbox
       set turn = ${last}, due_at = ledger.now() + interval '1 hour' * ${uncertainHours}::int,
           given_up_at = case when turn >= ${last}::int then ledger.now() end
     where id = ${outboxId} returning given_up_at is not null as given_up`;
  return row?.given_up === true ? "given_up" : "uncertain";
}

function handlerOf(handlers: MessageHandlers, name: string): MessageHandler {
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (handler === undefined) throw new UnknownMessage(name);
  return handler;
}

/** Delivers one message of the outbox; its content stays there. */
const deliverMessageJob = defineJob({
  name: "ledger.deliver-message",
  payload: z.strictObject({ outboxId: z.int().positive() }),
  // Half a minute in all; the relay hands on again what fails for longer.
  retry: { attempts: 5, backoffMs: 2000 },
});

/** @param options.sql a pool of the role `ledger_app`; one connection per job stays with its lock */
export function handleDeliverMessage(options: {
  sql: Sql;
  handlers: MessageHandlers;
  observe: ObserveDelivery;
}): RunnableJob {
  return handleJob(deliverMessageJob, async ({ outboxId }) => {
    await deliverMessage(options.sql, options.handlers, outboxId, options.observe);
  });
}

/** Forgets settled messages and deliveries, and what operators did, when their time is over. */
export const forgetRecordsJob = defineJob({
  name: "ledger.forget-records",
  payload: z.strictObject({}),
  retry: { attempts: 3, backoffMs: 5000 },
});

/** @param sql a pool of the role `ledger_app` */
export function handleForgetRecords(sql: Sql): RunnableJob {
  return handleJob(forgetRecordsJob, async () => {
    await sql`select ledger.forget_records()`;
  });
}

export type RelayOptions = {
  /** A pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly queue: Pick<JobQueue, "add">;
  readonly log: Logger;
  /** How long a worker has for a message's first attempt; twice as long for each further one. */
  readonly firstWaitMs?: number | undefined;
  /** Messages per pass. */
  readonly batchSize?: number;
  /** Receives the name of a message that is given up. */
  readonly onGivenUp?: (name: string) => void;
};

/** How often a message is handed to the queue before it is given up: for about forty hours. */
export const attemptsMax = 12;
const firstWaitMs = 5 * 60_000;
const waitMsMax = 6 * 60 * 60_000;
/**
 * Twenty a second, evenly: more than mail providers take from most senders; larger batches would delay
 * the answers to forms.
 */
const relayEveryMs = 200;
const batchSizeUsual = 4;

type Taken = { id: number; name: string; turn: number; given_up: boolean };

/**
 * One pass: hands the messages that are due to the queue, as jobs that are new for each attempt, and
 * gives up those that have had their last. Attempts are counted and committed before the queue is
 * asked, so that a job never finds its message locked by the relay. Safe beside other relays.
 * @returns how many messages were handed over
 * @throws when the database or the queue is away; what the queue did not take has had no attempt
 */
export async function relayOutbox(options: RelayOptions): Promise<number> {
  const taken = await takeDue(options);
  const givenUp = taken.filter((message) => message.given_up);
  for (const { id, name } of givenUp) {
    options.log.error({ outboxId: id }, "a message is given up");
    options.onGivenUp?.(name);
  }
  const due = taken.filter((message) => !message.given_up);
  const answers = await Promise.allSettled(due.map((message) => handOver(options.queue, message)));
  const refusals = answers.filter((answer) => answer.status === "rejected");
  const [refusal] = refusals;
  if (refusal !== undefined) {
    await undoAttempt(
      options.sql,
      due.filter((_, index) => answers[index]?.status === "rejected"),
    );
    throw refusal.reason;
  }
  return due.length;
}

async function takeDue(options: RelayOptions): Promise<readonly Taken[]> {
  const first = options.firstWaitMs ?? firstWaitMs;
  return await options.sql<Taken[]>`
    with due as materialized (
      select id, turn from ledger.outbox
       where done_at is null and given_up_at is null and due_at <= (select ledger.now())
       order by due_at, id limit ${options.batchSize ?? batchSizeUsual}
         for update skip locked)
    update ledger.outbox o
       set turn = least(due.turn + 1, ${attemptsMax}::int),
           due_at = ledger.now() + interval '1 ms'
             * least(${first}::float8 * power(2, due.turn), ${waitMsMax}::float8),
           given_up_at = case when due.turn >= ${attemptsMax}::int then ledger.now() end
      from due where o.id = due.id
    returning o.id, o.name, o.turn, o.given_up_at is not null as given_up`;
}

async function handOver(queue: RelayOptions["queue"], { id, turn }: Taken): Promise<void> {
  await queue.add(deliverMessageJob, { outboxId: id }, { id: `outbox-${id}-${turn}` });
}

/** Unless a worker has it nevertheless: the queue may have taken what it seemed to refuse. */
async function undoAttempt(sql: Sql, messages: readonly Taken[]): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const turns = messages.map(({ turn }) => turn);
  await sql`
    update ledger.outbox o set turn = o.turn - 1, due_at = ledger.now()
      from unnest(${ids}::bigint[], ${turns}::int[]) as kept (id, turn)
     where o.id = kept.id and o.turn = kept.turn and o.done_at is null`;
}

/**
 * Relays five times a second until stopped, a batch each time and no more: that is the pace of all
 * mail, so that a flood of forms neither slows down their answers nor exceeds the mail server's limits.
 */
export function startRelay(options: RelayOptions): Repetition {
  return repeat({
    everyMs: relayEveryMs,
    pass: async () => {
      await relayOutbox(options);
      return "wait";
    },
    onFailing: (error) => options.log.error({ err: error }, "the outbox is not relayed"),
  });
}

/** A message that was given up. */
export type GivenUpMessage = {
  readonly id: number;
  readonly name: string;
  readonly addedAt: Instant;
  readonly givenUpAt: Instant;
};

/** The messages that were given up, the latest first. */
export async function givenUpMessages(sql: Sql): Promise<GivenUpMessage[]> {
  const rows = await sql<{ id: number; name: string; added_ms: number; given_up_ms: number }[]>`
    select id, name, (extract(epoch from added_at) * 1000)::bigint as added_ms,
           (extract(epoch from given_up_at) * 1000)::bigint as given_up_ms
      from ledger.outbox where given_up_at is not null order by given_up_at desc, id`;
  return rows.map(({ id, name, added_ms: addedMs, given_up_ms: givenUpMs }) => ({
    id,
    name,
    addedAt: instantFromMs(addedMs),
    givenUpAt: instantFromMs(givenUpMs),
  }));
}

/**
 * Requests messages that were given up again: these, or all. Each is recorded with the operator's name.
 * @param sql a pool of the role `ledger_operator`
 * @returns how many
 */
export async function retryMessages(
  sql: Sql,
  ids: readonly number[] | null,
  operator: string,
): Promise<number> {
  const [row] = await sql<{ retried: number }[]>`
    select ledger.retry_messages(${ids}::bigint[], ${operator}) as retried`;
  return row?.retried ?? 0;
}
