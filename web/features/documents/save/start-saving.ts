import { type ActorRefFrom, createActor, fromPromise, type SnapshotFrom } from "xstate";

import {
  ofKind,
  type Outcome,
  type Saved,
  type SavingCalls,
  type Sending,
  type Stepping,
} from "./saving-calls.ts";
import { type Kept, savingMachine } from "./saving.machine.ts";

export type Saving = ActorRefFrom<typeof savingMachine>;
export type SavingSnapshot = SnapshotFrom<typeof savingMachine>;

/** Saves from now on by the calls of a kind of document, beginning with what is not saved yet. */
export function startSaving<Base extends Saved>(
  input: Kept<Base>,
  { save, load, step }: SavingCalls<Base>,
): Saving {
  const ofThisKind = savingMachine.provide({
    actors: {
      save: fromPromise<Outcome, Sending>(({ input: { base, document } }) =>
        save({ base: ofKind(base), document }),
      ),
      load: fromPromise<Outcome, Saved>(({ input: base }) => load(ofKind(base))),
      step: fromPromise<Outcome, Stepping>(async ({ input: asked }) =>
        step === undefined
          ? { kind: "not-kept" }
          : step({ base: ofKind(asked.base), step: asked.step }),
      ),
    },
  });
  return createActor(ofThisKind, { input }).start();
}
