import { createContext, type ReactNode, useContext } from "react";

import type { AdviceStore } from "./advice-store.ts";
import type { Path } from "./document-at.ts";
import type { Edit, Kind } from "./edits.ts";
import type { Entry } from "./part-words.ts";

/** What the fields of a document have in common. */
export type Editing = {
  edit: (change: Edit) => void;
  /** Says to screen readers what an edit did. */
  announce: (text: string) => void;
  /** Of the document, not of the page around it. */
  language: "en" | "he";
  /** What is said at fields; it never prevents anything. */
  advice: AdviceStore;
  /** What stands below the fields of an entry. */
  below?: (place: { kind: Kind; entry: Entry; path: Path }) => ReactNode;
};

const Context = createContext<Editing | undefined>(undefined);
export const EditingProvider = Context.Provider;

/** @throws outside of an editor */
export function useEditing(): Editing {
  const editing = useContext(Context);
  if (editing === undefined) throw new Error("outside of an editor");
  return editing;
}

/** The id of the control of a path; a path has no other characters. */
export const idOf = (path: string): string => `cv-${path.replaceAll("/", "-")}`;
