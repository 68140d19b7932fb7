import type { CvState } from "../cv-queries.ts";
import type { Kept } from "./saving.machine.ts";

/** Drafts of the signed-in area begin so; they are removed at sign-out. */
const keyOf = (accountId: string, cvId: string): string => `draft:${accountId}:cv:${cvId}`;

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" &&
  value !== null &&
  ["base", "document", "sent", "conflicts"].every((name) => name in value);

/** What this tab had not saved when it was closed or reloaded. @returns undefined when there is nothing */
export function readKept(accountId: string, cvId: string): Kept | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(accountId, cvId)) ?? "null");
    return isKept(value) ? value : undefined;
  } catch {
    // Storage is blocked, or another value is stored.
    return undefined;
  }
}

/** Keeps what is not saved yet for a reload of this tab; what is saved need not be kept. */
export function keep(accountId: string, kept: Kept & { isSaved: boolean }): void {
  const { base, document, sent, conflicts, isSaved } = kept;
  const key = keyOf(accountId, base.cvId);
  try {
    if (isSaved && conflicts.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ base, document, sent, conflicts }));
  } catch {
    // Storage is blocked or full: the edits are on the screen only, and the browser asks before it closes the page.
  }
}

/** What the editor begins with. */
export const beginningOf = (accountId: string, cv: CvState): Kept =>
  readKept(accountId, cv.cvId) ?? { base: cv, document: cv.document, sent: null, conflicts: [] };
