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

/** Why an officer denies a request: the closed list of the Data Rights Protocol 1.0, §3.02. */
export const denialReasons = [
  "insufficient-verification",
  "no-match",
  "claim-not-covered",
  "outside-jurisdiction",
  "too-many-requests",
  "suspected-fraud",
  "other",
] as const;

/** Fields that a correction may change. */
export const correctionFields = ["full-name", "phone", "address", "preferred-language"] as const;

/** What an officer has checked about the sender of a form, as far as a mailed code is not enough. */
export const identityChecks = [
  "account-details",
  "identity-document",
  "holder-confirmed",
  "power-of-attorney",
] as const;
export type IdentityCheck = (typeof identityChecks)[number];
