/** Bounds of privacy requests, apart from the schemas so that pages load them alone. */
export const privacyLimits = {
  /** What a person may write of their reason. */
  reasonCharsMax: 500,
  /** Days from receipt in which a deletion can be cancelled. */
  graceDays: 30,
  /** Days from receipt after which no backup holds the erased data. */
  backupDays: 90,
} as const;
