import { z } from "zod";

/** Export of the data, deletion of the account, correction of a field, and the end of a deletion. */
export const requestTypes = ["access", "delete", "correct", "cancel-deletion"] as const;
export const RequestType = z.enum(requestTypes);
export type RequestType = z.infer<typeof RequestType>;

/** What an account holder sees of a request; how it ended stands beside it as an outcome. */
export const publicStatuses = ["pending", "scheduled", "failed", "completed"] as const;
export type PublicStatus = (typeof publicStatuses)[number];

export const outcomes = [
  "fulfilled",
  "denied",
  "cancelled",
  "withdrawn",
  "expired",
  "nothing-held",
  /** It ended with the account that it was about. */
  "erased",
] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a request was complied with in part only: the rest is kept by a law, withheld, or denied. */
export const partReasons = ["kept-by-law", "withheld", "fields-denied"] as const;
export type PartReason = (typeof partReasons)[number];
