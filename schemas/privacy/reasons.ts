// Apart from the schemas, so that pages load these lists alone.

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

/**
 * Why an officer denies one field of a correction and approves another. Suspected fraud concerns the whole
 * request, and takes a second officer.
 */
export const fieldDenialReasons = [
  "insufficient-verification",
  "no-match",
  "claim-not-covered",
  "outside-jurisdiction",
  "too-many-requests",
  "other",
] as const satisfies readonly (typeof denialReasons)[number][];

/** Why a hold goes on after its review: a closed list, so that nothing personal is written there. */
export const holdReasons = [
  "proceedings",
  "investigation",
  "authority-order",
  "retention-duty",
] as const;

/** Laws that permit an extension, if it is announced. */
export const extensionLaws = ["gdpr", "ccpa"] as const;

/** What an officer has checked about the sender of a form, as far as a mailed code is not enough. */
export const identityChecks = [
  "account-details",
  "identity-document",
  "holder-confirmed",
  "power-of-attorney",
] as const;
export type IdentityCheck = (typeof identityChecks)[number];
