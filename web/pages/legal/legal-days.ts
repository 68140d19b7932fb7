import { legalVersions } from "@pro-talent/schemas/site/legal-documents";

/** Days of the last change of the others, by path. */
export const legalDays: Readonly<Record<string, string>> = {
  "/terms": legalVersions.terms,
  "/privacy": legalVersions.privacy,
  "/cookie-policy": "2026-11-23",
  "/ledger-heads": "2026-11-22",
};
