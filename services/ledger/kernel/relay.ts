import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { JobQueue } from "@pro-talent/platform/queue/connect-queue";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat, type Repetition } from "@pro-talent/platform/runtime/repeat";

import { deliverMessageJob } from "./outbox.job.ts";

export type RelayOptions = {
  /** A pool of the role `ledger_app`. */
  readonly sql: Sql;
  readonly queue: Pick<JobQueue, "add">;
  readonly log: Logger;
  /** How long a worker has for a message's first turn; twice as long for each further one. */
  readonly firstWaitMs?: number;
  /** Messages per pass. */
  readonly batchSize?: number;
  /** Told the name of a message that is given up. */
  readonly onGivenUp?: (name: string) => void;
};

/** How often a message is handed to the queue before it is given up: for about forty hours. */
export const turnsMax = 12;
const firstWaitMs = 5 * 60_000;
const waitMsMax = 6 * 60 * 60_000;
/**
 * Twenty a second, evenly: more than mail providers take from most senders, and in larger batches they
 * would stand in the way of forms being answered.
 */
const relayEveryMs = 200;
const batchSizeUsual = 4;

type Taken = { id: number; name: string; turn: number; given_up: boolean };

/**
 * One pass: hands the messages that are due to the queue, as jobs that are new for each turn, and
 * gives up those that have had their last. Turns are counted and committed before the queue is
 * asked, so that a job never finds its message still in the hands of the relay. Safe beside others.
 * @returns how many messages were handed over
 * @throws when the database or the queue is away; what the queue did not take has had no turn
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
    await putBack(
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
       where done_at is null and given_up_at is null and due_at <= clock_timestamp()
       order by due_at, id limit ${options.batchSize ?? batchSizeUsual}
         for update skip locked)
    update ledger.outbox o
       set turn = least(due.turn + 1, ${turnsMax}::int),
           due_at = clock_timestamp() + interval '1 ms'
             * least(${first}::float8 * power(2, due.turn), ${waitMsMax}::float8),
           given_up_at = case when due.turn >= ${turnsMax}::int then clock_timestamp() end
      from due where o.id = due.id
    returning o.id, o.name, o.turn, o.given_up_at is not null as given_up`;
}

async function handOver(queue: RelayOptions["queue"], { id, turn }: Taken): Promise<void> {
  await queue.add(deliverMessageJob, { outboxId: id }, { id: `outbox-${id}-${turn}` });
}

/** Unless a worker has it nevertheless: the queue may have taken what it seemed to refuse. */
async function putBack(sql: Sql, messages: readonly Taken[]): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const turns = messages.map(({ turn }) => turn);
  await sql`
    update ledger.outbox o set turn = o.turn - 1, due_at = clock_timestamp()
      from unnest(${ids}::bigint[], ${turns}::int[]) as kept (id, turn)
     where o.id = kept.id and o.turn = kept.turn and o.done_at is null`;
}

/**
 * Relays five times a second until stopped, a batch each time and no more: that is the pace of all
 * mail, so that a flood of forms neither takes the machine from those who are answered nor angers the
 * mail server. What does not fit waits its turn.
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
