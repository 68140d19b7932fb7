/** Why a visitor reports a link, without the library that parses it: browsers import this list. */
export const reportReasons = [
  "phishing",
  "malware",
  "impersonation",
  "personal-data",
  "other",
] as const;
export type ReportReason = (typeof reportReasons)[number];
