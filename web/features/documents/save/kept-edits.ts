import type { Saved } from "./saving-calls.ts";
import type { Kept } from "./saving.machine.ts";

/**
 * Where this tab keeps the edits of a document. Drafts of the signed-in area begin so; they are removed at sign-out.
 * @param name of the document within the account: `cv:<id>`
 */
export const draftKey = (accountId: string, name: string): string => `draft:${accountId}:${name}`;

const isKept = <Base extends Saved>(value: unknown): value is Kept<Base> =>
  typeof value === "object" &&
  value !== null &&
  ["base", "document", "sent", "conflicts"].every((name) => name in value);

/** What this tab had not saved when it was closed or reloaded. @returns undefined when there is nothing */
function readKept<Base extends Saved>(key: string): Kept<Base> | undefined {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return isKept<Base>(value) ? value : undefined;
  } catch {
    // Storage is blocked, or another value is stored.
    return undefined;
  }
}

/** Keeps what is not saved yet for a reload of this tab; what is saved need not be kept. */
export function keep(key: string, kept: Kept & { isSaved: boolean }): void {
  const { base, document, sent, conflicts, isSaved } = kept;
  try {
    if (isSaved && conflicts.length === 0) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ base, document, sent, conflicts }));
  } catch {
    // Storage is blocked or full: the edits are on the screen only, and the browser asks before it closes the page.
  }
}

/** What the editor begins with. */
export const beginningOf = <Base extends Saved>(key: string, base: Base): Kept<Base> =>
  readKept<Base>(key) ?? { base, document: base.document, sent: null, conflicts: [] };
