import type { Traces } from "@pro-talent/schemas/primitives/traces";

import type { CommandContext } from "./commands.ts";
import type { WorkerContext } from "./module.ts";

/** Whose data is erased. */
export type ErasedPerson = {
  readonly accountId: string;
  /** Null once the account itself is erased: what is found by the address was erased before. */
  readonly email: string | null;
};

/** Items that a store held, and those that it still holds. */
export type Erased = { readonly found: number; readonly left: number };

/**
 * Erases what one store holds of a person. May be called again, after a crash or when something was found
 * later; it then finds less, or nothing. What is not erased yet, because another process works on it, is
 * left: the step is tried again.
 */
export type Eraser = {
  /** The name of the step, as in the certificate. */
  readonly step: string;
  /** Subjects of the ledger whose keys it destroys, read before anything is erased. */
  readonly subjectsOf?: (
    context: WorkerContext,
    person: ErasedPerson,
  ) => Promise<readonly string[]>;
  /** What every store is searched for once it is erased, beside those ids; read before. */
  readonly tracesOf?: (context: WorkerContext, person: ErasedPerson) => Promise<Partial<Traces>>;
  readonly erase: (
    context: WorkerContext,
    person: ErasedPerson,
    why: CommandContext,
  ) => Promise<Erased>;
};
