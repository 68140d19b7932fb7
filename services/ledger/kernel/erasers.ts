import type { Traces } from "@pro-talent/schemas/primitives/traces";

import type { CommandContext } from "./commands.ts";
import type { EventFamily } from "./events.ts";
import type { WorkerContext } from "./module.ts";
import type { SubjectKind } from "./subjects.ts";
import type { DomainEvent } from "./types.ts";

/** Whose data is erased, as far as it is found by an address. */
export type Addressed = {
  /** Null once the address itself is erased: what is found by it was erased before. */
  readonly email: string | null;
  /**
   * What the erasure journal names of the person. A restore of an older backup destroys these keys before
   * anything opens, and with them every way from an address to what is still there.
   */
  readonly subjectIds?: readonly string[];
};
/** The holder of an account, whose data is erased with it. */
export type ErasedPerson = Addressed & { readonly accountId: string };

/** Items that a store held, and those that it still holds. */
export type Erased = {
  readonly found: number;
  readonly left: number;
  /** Of what was found, what a law demands to be kept; not left over. */
  readonly kept?: number;
};

/** The step of the documents that a law keeps. */
export const keptStep = "invoices";

/**
 * Erases what one store holds of a person. May be called again, after a crash or when something was found
 * later; it then finds less, or nothing. What is not erased yet, because another process works on it, is
 * left: the step is tried again.
 */
export type Eraser<Person extends Addressed = ErasedPerson> = {
  /** The name of the step, as in the certificate. */
  readonly step: string;
  /** Subjects of the ledger whose keys it destroys, read before anything is erased. */
  readonly subjectsOf?: (context: WorkerContext, person: Person) => Promise<readonly string[]>;
  /** What every store is searched for once it is erased, beside those ids; read before. */
  readonly tracesOf?: (context: WorkerContext, person: Person) => Promise<Partial<Traces>>;
  readonly erase: (context: WorkerContext, person: Person, why: CommandContext) => Promise<Erased>;
};

/**
 * The streams of one kind that are the person's: those of the address, and those that the journal names. A
 * stream has the id of its subject.
 */
export async function streamsOfPerson<Event extends DomainEvent>(
  { ledger, subjects }: Pick<WorkerContext, "ledger" | "subjects">,
  { kind, events }: { readonly kind: SubjectKind; readonly events: EventFamily<Event> },
  { email, subjectIds = [] }: Addressed,
): Promise<readonly string[]> {
  const addressed = email === null ? [] : await subjects.idsOfAddress(kind, email);
  if (subjectIds.length === 0) return addressed;
  const rows = await ledger.sql<{ stream: string }[]>`
    select stream from ledger.stream
     where stream = any (${subjectIds.map((id) => events.streamOf(id))}::text[])`;
  const known = new Set(rows.map(({ stream }) => stream));
  const journalled = subjectIds.filter((id) => known.has(events.streamOf(id)));
  return [...new Set([...addressed, ...journalled])];
}
