import { z } from "zod";

import { heldSections } from "./held-data.ts";

/**
 * Why a passage of a copy is withheld: a closed list, each with its law in the texts. GDPR, article 15 (4),
 * and the Protection of Privacy Law (Israel), section 13, which gives access to data about oneself alone.
 */
export const redactionReasons = [
  "other-person",
  "special-category",
  "confidence",
  "trade-secret",
  "reporter",
] as const;
export type RedactionReason = (typeof redactionReasons)[number];

/** Redactions of one copy, and entries of one page of a review. */
export const redactionLimits = { redactionsMax: 500, entriesPerPage: 25 } as const;

const Place = z.int().nonnegative();

/**
 * What is withheld of a copy, by its place in the data that was collected; never any text of it. A whole
 * entry, one value of it, or a part of a text (UTF-16 code units, the end excluded).
 */
export const Redaction = z.object({
  store: z.enum(heldSections),
  entry: Place,
  value: Place.nullable(),
  span: z
    .object({ from: Place, to: z.int().positive() })
    .refine(({ from, to }) => from < to, "it ends after it begins")
    .nullable(),
  reason: z.enum(redactionReasons),
});
export type Redaction = z.infer<typeof Redaction>;

/** How many passages of a store are withheld for a reason. */
export const Withheld = z.object({
  store: z.enum(heldSections),
  reason: z.enum(redactionReasons),
  count: z.int().positive(),
});
export type Withheld = z.infer<typeof Withheld>;

/** Redactions counted by store and reason, in the order of these. */
export function withheldBy(redactions: readonly Redaction[]): Withheld[] {
  return heldSections.flatMap((store) =>
    redactionReasons.flatMap((reason) => {
      const own = redactions.filter((one) => one.store === store && one.reason === reason);
      return own.length === 0 ? [] : [{ store, reason, count: own.length }];
    }),
  );
}

/** All passages together. */
export const countWithheld = (withheld: readonly Withheld[]): number =>
  withheld.reduce((sum, { count }) => sum + count, 0);

const overlap = (one: Redaction, other: Redaction): boolean => {
  if (one.store !== other.store || one.entry !== other.entry) return false;
  if (one.value === null || other.value === null) return true;
  if (one.value !== other.value) return false;
  if (one.span === null || other.span === null) return true;
  return one.span.from < other.span.to && other.span.from < one.span.to;
};

/** All redactions of a copy; no two of them withhold the same, so that each is made, and counted, once. */
export const Redactions = z
  .array(Redaction)
  .max(redactionLimits.redactionsMax)
  .refine(
    (all) => all.every((one, place) => all.slice(0, place).every((other) => !overlap(one, other))),
    "no two withhold the same",
  );
