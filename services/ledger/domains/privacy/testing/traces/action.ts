import type { Recordable } from "../../guards.decider.ts";
import type { Moment } from "../request-model.ts";
import type { Replay } from "./replay.ts";

/** What a person, an officer, a worker or the clock can do next. */
export type Action = {
  readonly name: string;
  readonly waitMs?: number;
  /** What it records, one after another; undefined when it cannot be done now. */
  readonly facts: (moment: Moment) => readonly Recordable[] | undefined;
  /** Does it on the real ledger. */
  readonly real: (replay: Replay, moment: Moment) => Promise<void>;
};

export const dayMs = 24 * 60 * 60_000;

/** The facts, under a condition. */
export const only = (
  condition: boolean,
  ...facts: readonly Recordable[]
): readonly Recordable[] | undefined => (condition ? facts : undefined);
