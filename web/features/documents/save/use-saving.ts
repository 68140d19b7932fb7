import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";

import { readToken } from "../../../api-client/token.ts";
import type { Edit } from "../edit/edits.ts";
import { DocumentSaving } from "./document-saving.ts";
import type { Saved, SavingCalls, Step } from "./saving-calls.ts";

/** What the editor does with a document; the functions stay the same for its life. */
export type Actions<Base extends Saved> = {
  edit: (change: Edit) => void;
  step: (step: Step) => void;
  settle: (path: string) => void;
  replace: (saved: Base) => void;
  /** Saves now. @returns whether everything is saved; false when it takes too long */
  saved: () => Promise<boolean>;
};

/** Saves before the page is hidden, looks when it is shown again, and asks before it is closed with unsaved edits. */
function usePageLife<Base extends Saved>(saving: DocumentSaving<Base>): void {
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

type SavingOptions<Base extends Saved> = {
  calls: SavingCalls<Base>;
  /** Where this tab keeps what is not saved. */
  keptAs: string;
  /** Gives what the server has acknowledged to the other pages; stays the same. */
  onSaved: (base: Base) => void;
  /** Whether the server may have a later one. */
  isOld: boolean;
};

/** A document as it is edited, and how it is saved. */
export function useSaving<Base extends Saved>(saved: Base, options: SavingOptions<Base>) {
  const { calls, keptAs, onSaved, isOld } = options;
  const [saving] = useState(() => new DocumentSaving(saved, calls, keptAs));
  const view = useSyncExternalStore(saving.subscribe, saving.view);
  const { base } = view;
  useEffect(() => onSaved(base), [base, onSaved]);
  usePageLife(saving);
  useLayoutEffect(() => {
    saving.open();
    return () => saving.close();
  }, [saving]);
  useEffect(() => {
    if (isOld) saving.send({ type: "look" });
  }, [saving, isOld]);
  const actions = useMemo<Actions<Base>>(
    () => ({
      edit: (change) => saving.send({ type: "edit", change }),
      step: (step) => saving.send({ type: "step", step }),
      settle: (path) => saving.send({ type: "settle", path }),
      replace: (replaced) => saving.send({ type: "replaced", saved: replaced }),
      saved: saving.saved,
    }),
    [saving],
  );
  return { view, actions };
}
