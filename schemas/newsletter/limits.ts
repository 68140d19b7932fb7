/** Bounds of the newsletter call. Fields beyond them are refused, never cut. */
export const newsletterLimits = {
  bodyBytesMax: 8 * 1024,
  mailReportBytesMax: 1024 * 1024,
  consentTextCharsMax: 500,
  honeypotCharsMax: 500,
  errorCharsMax: 300,
  tokenCharsMax: 200,
  /** A link to confirm an address works this long. */
  confirmHours: 48,
  /** Confirmation mails to one address within a day. */
  confirmationsPerDay: 3,
  /** Mails with a new link to the preferences, to one subscriber within a day. */
  linksPerDay: 3,
  /** A request that was not confirmed is erased after this time. */
  unconfirmedDays: 30,
  /**
   * An address that cannot be reached is kept this long, so that the day's limit of mails to it
   * holds. The address of a subscriber who leaves is not kept.
   */
  unreachableDays: 30,
  /** A mail that was accepted counts as delivered if no permanent bounce comes back for so long. */
  deliveredHours: 48,
  /** As many mails that were not taken this time count as one that is never taken. */
  softBouncesMax: 3,
} as const;
