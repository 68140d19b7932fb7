import type { Sql } from "@pro-talent/platform/postgres/pool";
import { inSpan } from "@pro-talent/platform/tracing/spans";
import { v5 as uuidV5 } from "uuid";
import type { z } from "zod";

import type { ProcessStep } from "./append.ts";
import {
  type CommandResult,
  type Ledger,
  runCommand,
  type StoreRefusalCode,
  type StreamDefinition,
} from "./commands.ts";
import { categoryOf, type EventFamily, readStored, type StoredEvent } from "./events.ts";
import { type Follower, moveCheckpoint, readAhead } from "./follow.ts";
import {
  Actor,
  type Cause,
  causeAfter,
  type Command,
  type DomainEvent,
  type RecordedEvent,
  type StreamEvent,
} from "./types.ts";

/** A command for one stream of the process's own domain. */
export type Reaction<Request extends Command> = { readonly id: string; readonly command: Request };

/**
 * Turns events of another domain into commands of this one, each exactly once: the checkpoint moves in
 * the transaction of the append, and the command's id follows from process and event.
 */
export type Process = {
  /** `<domain>.<what it does>`. */
  readonly name: string;
  /** Category of the streams whose events it reads. */
  readonly category: string;
  /** @returns undefined when nothing follows from the event */
  readonly react: (
    ledger: Ledger,
    recorded: RecordedEvent<DomainEvent>,
    context: { commandId: string; cause: Cause; step: ProcessStep },
  ) => Promise<CommandResult<string>> | undefined;
};

/** Namespace of the ids of processes' commands: drawn at random once, fixed for ever. */
const commandNamespace = "b2b4d1a8-0b6e-4b63-9a3b-7f3c2f7c5d10";
const eventsPerStep = 200;
/** Refusals that are not of the domain's rules: the event has not been reacted to. */
const storeRefusals: ReadonlySet<string> = new Set<StoreRefusalCode>([
  "command_mismatch",
  "version_conflict",
]);

/**
 * Defines a process. `reads` names events of another domain by its contract in `schemas/`.
 * @throws ZodError when the name is not of small letters, dots and dashes
 */
export function defineProcess<
  Source extends DomainEvent,
  State,
  Request extends Command,
  Event extends DomainEvent,
  Code extends string,
>(definition: {
  readonly name: string;
  readonly reads: { readonly category: string; readonly contract: z.ZodType<Source> };
  readonly stream: StreamDefinition<State, Request, Event, Code>;
  /** Pure. */
  readonly react: (recorded: StreamEvent<Source>) => Reaction<Request> | undefined;
}): Process {
  const { name, reads, stream } = definition;
  // Otherwise the first command would find out.
  Actor.parse(`process:${name}`);
  return {
    name,
    category: reads.category,
    react: (ledger, recorded, { commandId, cause, step }) => {
      const event = reads.contract.parse(recorded.event);
      const reaction = definition.react({ ...recorded, event });
      if (reaction === undefined) return undefined;
      const body = { process: name, event: recorded.eventId };
      // What follows from an event happened with it, however late the process runs.
      const now = recorded.occurredAt;
      const request = { ...reaction, commandId, body, now, cause, process: step };
      return inSpan(
        `process ${name}`,
        { of: cause.correlationId, fields: { process: name } },
        async () => runCommand(ledger, stream, request),
      );
    },
  };
}

export type ProcessOptions = {
  readonly ledger: Ledger;
  /** Families of all domains, so that stored events are read in their newest version. */
  readonly families: readonly EventFamily[];
};

/**
 * The follower that runs a process. An event that fails stops this process alone: it stays behind, is
 * reported as failing, and tries again. A command that the domain's rules refuse is an answer, the same
 * each time: the process goes on after it.
 */
export function followerOfProcess(process: Process, options: ProcessOptions): Follower {
  const family = options.families.find(({ category }) => category === process.category);
  if (family === undefined) throw new Error(`No domain has streams ${process.category}-…`);
  return { name: process.name, step: () => stepProcess(process, family, options) };
}

async function stepProcess(
  process: Process,
  family: EventFamily,
  { ledger }: ProcessOptions,
): Promise<"behind" | "caught_up"> {
  const { sql } = ledger;
  const { epoch, position, events } = await readAhead(sql, process.name, eventsPerStep);
  let from = { epoch, position };
  for (const stored of events.filter(({ stream }) => categoryOf(stream) === process.category)) {
    const to = { epoch: stored.epoch, position: stored.pos };
    const result = await process.react(ledger, readStored(family, stored), {
      commandId: uuidV5(`${process.name} ${stored.event_id}`, commandNamespace),
      cause: causeAfter(`process:${process.name}`, stored.event_id, stored.meta),
      step: { name: process.name, from, to },
    });
    if (result === undefined) continue;
    if (result.kind === "refusal") {
      if (result.code === "process_superseded") return "behind";
      if (storeRefusals.has(result.code)) {
        throw new Error(`${process.name} was refused: ${result.code}`);
      }
    }
    const recorded = result.kind === "answer" && result.how === "recorded";
    if (!recorded && !(await moveCheckpoint(sql, { name: process.name, from, to }))) {
      return "behind";
    }
    from = to;
  }
  return (await passRest(sql, process.name, from, events)) ? "caught_up" : "behind";
}

/** Moves the checkpoint past the events after the last command. @returns whether none may be left */
async function passRest(
  sql: Sql,
  name: string,
  from: ProcessStep["from"],
  events: readonly StoredEvent[],
): Promise<boolean> {
  const last = events.at(-1);
  if (last === undefined || last.pos === from.position) return events.length < eventsPerStep;
  const to = { epoch: last.epoch, position: last.pos };
  return (await moveCheckpoint(sql, { name, from, to })) && events.length < eventsPerStep;
}

/**
 * Gives processes that are new a checkpoint at the ledger's begin. That of a process which this version
 * lacks stays: begun anew after a rollback, it would decide on old events with the streams of today. A
 * process that is gone for good is removed by a migration.
 */
export async function registerProcesses(sql: Sql, processes: readonly Process[]): Promise<void> {
  const names = processes.map(({ name }) => name);
  await sql`insert into ledger.checkpoint (follower, epoch, pos)
    select name, 1, 0 from unnest(${names}::text[]) name on conflict do nothing`;
}
