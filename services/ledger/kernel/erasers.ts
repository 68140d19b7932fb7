import type { Traces } from "@pro-talent/schemas/primitives/traces";

import type { CommandContext } from "./commands.ts";
import type { WorkerContext } from "./module.ts";

/** Whose data is erased, as far as it is found by an address. */
export type Addressed = {
  /** Null once the address itself is erased: what is found by it was erased before. */
  readonly email: string | null;
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
