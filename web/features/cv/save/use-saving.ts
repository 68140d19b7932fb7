import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";

import { readToken } from "../../../api-client/token.ts";
import { cvsQuery } from "../../cvs-query.ts";
import { type CvState, cvQuery } from "../cv-queries.ts";
import type { Edit } from "../edit/edits.ts";
import { CvSaving } from "./cv-saving.ts";
import type { Step } from "./saving-calls.ts";

/** What the editor does with a CV; the functions stay the same for its life. */
export type Actions = {
  edit: (change: Edit) => void;
  step: (step: Step) => void;
  settle: (path: string) => void;
  replace: (cv: CvState) => void;
  /** Saves now. @returns whether everything is saved; false when it takes too long */
  saved: () => Promise<boolean>;
};

/** Gives what the server has acknowledged to the other pages. */
function useAcknowledged(base: CvState): void {
  const cache = useQueryClient();
  useEffect(() => {
    cache.setQueryData(cvQuery(base.cvId).queryKey, { cv: base });
    cache.setQueryData(cvsQuery.queryKey, (known) =>
      known === undefined
        ? known
        : { ...known, cvs: [base, ...known.cvs.filter(({ cvId }) => cvId !== base.cvId)] },
    );
  }, [base, cache]);
}

/** Saves before the page is hidden, looks when it is shown again, and asks before it is closed with unsaved edits. */
function usePageLife(saving: CvSaving): void {
  useEffect(() => {
    const online = (): void => saving.send({ type: "online" });
    const seen = (): void =>
      saving.send({ type: document.visibilityState === "hidden" ? "flush" : "look" });
    const left = (event: BeforeUnloadEvent): void => {
      // Signed out, what was typed waits in this tab for the next sign-in.
      if (saving.view().status !== "saved" && readToken() !== null) event.preventDefault();
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
  }, [saving]);
}

/** The CV as it is edited, and how it is saved. @param isOld whether the server may have a later one */
export function useSaving(cv: CvState, accountId: string, isOld: boolean) {
  const [saving] = useState(() => new CvSaving(accountId, cv));
  const view = useSyncExternalStore(saving.subscribe, saving.view);
  useAcknowledged(view.base);
  usePageLife(saving);
  useLayoutEffect(() => {
    saving.open();
    return () => saving.close();
  }, [saving]);
  useEffect(() => {
    if (isOld) saving.send({ type: "look" });
  }, [saving, isOld]);
  const actions = useMemo<Actions>(
    () => ({
      edit: (change) => saving.send({ type: "edit", change }),
      step: (step) => saving.send({ type: "step", step }),
      settle: (path) => saving.send({ type: "settle", path }),
      replace: (replaced) => saving.send({ type: "replaced", cv: replaced }),
      saved: saving.saved,
    }),
    [saving],
  );
  return { view, actions };
}
