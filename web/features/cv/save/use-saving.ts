import { useQueryClient } from "@tanstack/react-query";
import { useActorRef, useSelector } from "@xstate/react";
import { useEffect, useLayoutEffect, useMemo, useState } from "react";
import { type ActorRefFrom, type SnapshotFrom, waitFor } from "xstate";

import { readToken } from "../../../api-client/token.ts";
import { cvsQuery } from "../../cv-list.ts";
import { type CvState, cvQuery } from "../cv-queries.ts";
import type { Edit } from "../edit/edits.ts";
import { beginningOf, keep } from "./kept-edits.ts";
import type { Step } from "./saving-calls.ts";
import { savingMachine } from "./saving.machine.ts";

type Saving = ActorRefFrom<typeof savingMachine>;
type Snapshot = SnapshotFrom<typeof savingMachine>;

/** What the editor does with a CV; the functions stay the same for its life. */
export type Actions = {
  edit: (change: Edit) => void;
  step: (step: Step) => void;
  settle: (path: string) => void;
  replace: (cv: CvState) => void;
  /** Saves now. @returns whether everything is saved; false when it takes too long */
  saved: () => Promise<boolean>;
};

const savingMsMax = 10_000;

/** Whether everything is with the server. */
export const isSaved = (snapshot: Snapshot): boolean =>
  snapshot.matches("saved") || snapshot.matches("looking") || snapshot.matches("stepping");

/** Keeps edits for a reload, and what the server has acknowledged for the other pages. */
function useKeeping(actor: Saving, accountId: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    let earlier = actor.getSnapshot();
    const subscription = actor.subscribe((snapshot) => {
      const { base, document } = snapshot.context;
      const changed = snapshot.value !== earlier.value || document !== earlier.context.document;
      if (changed) keep(accountId, { ...snapshot.context, isSaved: isSaved(snapshot) });
      if (base !== earlier.context.base) {
        cache.setQueryData(cvQuery(base.cvId).queryKey, { cv: base });
        cache.setQueryData(cvsQuery.queryKey, (known) =>
          known === undefined
            ? known
            : { ...known, cvs: [base, ...known.cvs.filter(({ cvId }) => cvId !== base.cvId)] },
        );
      }
      earlier = snapshot;
    });
    return () => subscription.unsubscribe();
  }, [accountId, actor, cache]);
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

/** The CV as it is edited, and how it is saved. @param isOld whether the server may have a later one */
export function useSaving(cv: CvState, accountId: string, isOld: boolean) {
  const [input] = useState(() => beginningOf(accountId, cv));
  const actor = useActorRef(savingMachine, { input });
  useKeeping(actor, accountId);
  usePageLife(actor);
  useEffect(() => {
    if (isOld) actor.send({ type: "look" });
  }, [actor, isOld]);
  // In a layout effect, because it ends before the actor does: what is unsaved is sent before another page opens.
  useLayoutEffect(() => () => actor.send({ type: "flush" }), [actor]);
  const actions = useMemo<Actions>(
    () => ({
      edit: (change) => actor.send({ type: "edit", change }),
      step: (step) => actor.send({ type: "step", step }),
      settle: (path) => actor.send({ type: "settle", path }),
      replace: (replaced) => actor.send({ type: "replaced", cv: replaced }),
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
  return { snapshot, actions };
}
