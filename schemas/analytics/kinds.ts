/** Kinds of devices, without the library that parses them: browsers import this list. */
export const deviceClasses = ["desktop", "mobile", "tablet", "tv", "console", "other"] as const;

/** Ways by which a visit arrived. */
export const channels = [
  "direct",
  "search",
  "social",
  "email",
  "assistant",
  "jobs",
  "referral",
  "paid",
  "internal",
] as const;
