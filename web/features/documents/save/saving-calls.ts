import type { Conflict } from "@pro-talent/schemas/studio/merge";

import type { Json } from "../edit/document-at.ts";

/** A document as the server has acknowledged it. */
export type Saved = {
  /** Rises with every saved edit. */
  readonly version: number;
  readonly savedAt: string;
  readonly document: Json;
};
export type Step = "undo" | "redo";

/** What came of a call about an edited document. */
export type Outcome<Base extends Saved = Saved> =
  | { kind: "answered"; saved: Base; conflicts: readonly Conflict[] }
  /** The version that the edit started from is no longer kept. */
  | { kind: "not-kept" }
  /** It is not accepted as it is; sent again it would not be either. */
  | { kind: "refused"; tooLong: boolean }
  /** It was deleted. */
  | { kind: "deleted" }
  /** It may be accepted later. */
  | { kind: "unreached" };

/** A document on its way, and what it was made from. */
export type Sending<Base extends Saved = Saved> = { base: Base; document: Base["document"] };

/** How a kind of document is saved. Each throws a TypeError when there is no answer. */
export type SavingCalls<Base extends Saved> = {
  save: (sending: Sending<Base>) => Promise<Outcome<Base>>;
  load: (base: Base) => Promise<Outcome<Base>>;
  /** For documents that have an undo. */
  step?: (asked: { base: Base; step: Step }) => Promise<Outcome<Base>>;
};

/** Why a call was refused, by the codes of both kinds of documents. */
export function outcomeOfRefusal(
  status: number,
  code: string | undefined,
): Exclude<Outcome, { kind: "answered" }> {
  if (code?.endsWith("version_not_kept") === true) return { kind: "not-kept" };
  if (status === 404) return { kind: "deleted" };
  if (status >= 500 || [401, 408, 429].includes(status)) return { kind: "unreached" };
  return { kind: "refused", tooLong: code?.endsWith("too_long") === true || status === 413 };
}
