import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import { type ActorRefFrom, fromPromise, type SnapshotFrom, waitFor } from "xstate";

import { readToken } from "../../../api-client/token.ts";
import type { Edit } from "../edit/edits.ts";
import { beginningOf, keep } from "./kept-edits.ts";
import type { Outcome, Saved, SavingCalls, Sending, Step } from "./saving-calls.ts";
import { type Kept, savingMachine } from "./saving.machine.ts";

type Saving = ActorRefFrom<typeof savingMachine>;
export type SavingSnapshot = SnapshotFrom<typeof savingMachine>;

/** What the editor does with a document; the functions stay the same for its life. */
export type Actions<Base extends Saved> = {
  edit: (change: Edit) => void;
  step: (step: Step) => void;
  settle: (path: string) => void;
  replace: (saved: Base) => void;
  /** Saves now. @returns whether everything is saved; false when it takes too long */
  saved: () => Promise<boolean>;
};

const savingMsMax = 10_000;

/** Whether everything is with the server. */
export const isSaved = (snapshot: SavingSnapshot): boolean =>
  snapshot.matches("saved") || snapshot.matches("looking") || snapshot.matches("stepping");

/** Keeps edits for a reload, and passes on what the server has acknowledged. */
function useKeeping<Base extends Saved>(
  actor: Saving,
  { keptAs, onSaved }: Pick<SavingOptions<Base>, "keptAs" | "onSaved">,
): void {
  useEffect(() => {
    let earlier = actor.getSnapshot();
    const subscription = actor.subscribe((snapshot) => {
      const { base, document } = snapshot.context;
      const changed = snapshot.value !== earlier.value || document !== earlier.context.document;
      if (changed) keep(keptAs, { ...snapshot.context, isSaved: isSaved(snapshot) });
      if (base !== earlier.context.base) onSaved(keptOf<Base>(snapshot).base);
      earlier = snapshot;
    });
    return () => subscription.unsubscribe();
  }, [actor, keptAs, onSaved]);
}

/** Saves before the page is hidden, looks when it is shown again, and asks before it is closed with unsaved edits. */
function usePageLife(actor: Saving): void {
  useEffect(() => {
    const online = (): void => actor.send({ type: "online" });
    const seen = (): void =>
      actor.send({ type: document.visibilityState === "hidden" ? "flush" : "look" });
    const left = (event: BeforeUnloadEvent): void => {
      // Signed out, what was typed waits in this tab for the next sign-in.
      if (!isSaved(actor.getSnapshot()) && readToken() !== null) event.preventDefault();
    };
    window.addEventListener("online", online);
    window.addEventListener("focus", seen);
    document.addEventListener("visibilitychange", seen);
    window.addEventListener("beforeunload", left);
    return () => {
      window.removeEventListener("online", online);
      window.removeEventListener("focus", seen);
      document.removeEventListener("visibilitychange", seen);
      window.removeEventListener("beforeunload", left);
    };
  }, [actor]);
}

/** The machine knows documents as JSON alone. It has the base of its calls, and edits and merges keep the shape of documents. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const ofKind = <Value>(value: unknown): Value => value as Value;

const keptOf = <Base extends Saved>({ context }: SavingSnapshot): Kept<Base> => ofKind(context);

type SavingOptions<Base extends Saved> = {
  calls: SavingCalls<Base>;
  /** The key of {@link keep}. */
  keptAs: string;
  /** Stays the same. */
  onSaved: (base: Base) => void;
  /** Whether the server may have a later one. */
  isOld: boolean;
};

/** The machine with the calls of a kind of document. */
function withCalls<Base extends Saved>({ save, load, step }: SavingCalls<Base>) {
  return savingMachine.provide({
    actors: {
      save: fromPromise<Outcome, Sending>(({ input: { base, document } }) =>
        save({ base: ofKind(base), document }),
      ),
      load: fromPromise<Outcome, Saved>(({ input }) => load(ofKind(input))),
      step: fromPromise<Outcome, { base: Saved; step: Step }>(async ({ input }) =>
        step === undefined
          ? { kind: "unreached" }
          : step({ base: ofKind(input.base), step: input.step }),
      ),
    },
  });
}

/** A document as it is edited, and how it is saved. */
export function useSaving<Base extends Saved>(saved: Base, options: SavingOptions<Base>) {
  const { calls, keptAs, isOld } = options;
  const [input] = useState(() => beginningOf(keptAs, saved));
  const machine = useMemo(() => withCalls(calls), [calls]);
  const actor = useActorRef(machine, { input });
  useKeeping(actor, options);
  usePageLife(actor);
  useEffect(() => {
    if (isOld) actor.send({ type: "look" });
  }, [actor, isOld]);
  // In a layout effect, because it ends before the actor does: what is unsaved is sent before another page opens.
  useLayoutEffect(() => () => actor.send({ type: "flush" }), [actor]);
  const actions = useMemo<Actions<Base>>(
    () => ({
      edit: (change) => actor.send({ type: "edit", change }),
      step: (step) => actor.send({ type: "step", step }),
      settle: (path) => actor.send({ type: "settle", path }),
      replace: (replaced) => actor.send({ type: "replaced", saved: replaced }),
      saved: async () => {
        actor.send({ type: "flush" });
        const waiting = waitFor(actor, isSaved, { timeout: savingMsMax });
        return waiting.then(
          () => true,
          () => false,
        );
      },
    }),
    [actor],
  );
  const snapshot = useSelector(actor, (now) => now);
  return { snapshot, kept: keptOf<Base>(snapshot), actions };
}
