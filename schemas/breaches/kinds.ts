// Apart from the schemas, so that pages load these alone.

/** Kinds of personal data and of people that a breach can concern (GDPR, article 33 (3) (a)). */
export const dataCategories = [
  "contact",
  "credentials",
  "profile",
  "payments",
  "documents",
  "visits",
  "messages",
] as const;
export const peopleCategories = [
  "account-holders",
  "visitors",
  "link-visitors",
  "correspondents",
  "subscribers",
  "staff",
] as const;

/** Hours from the discovery within which the authority is notified (GDPR, article 33 (1)). */
export const noticeHours = 72;
/** When officers are mailed while nothing is settled: after these hours, then every day. */
export const warningHours = [0, 24, 48, 66] as const;

/** Bounds of what officers write, in characters. */
export const breachLimits = {
  textCharsMax: 4000,
  reasonCharsMax: 2000,
  peopleMax: 1_000_000_000,
} as const;
