/** Bounds of the newsletter call. Fields beyond them are refused, never cut. */
export const newsletterLimits = {
  bodyBytesMax: 8 * 1024,
  consentTextCharsMax: 500,
  trapCharsMax: 500,
  errorCharsMax: 300,
  tokenCharsMax: 200,
  /** A link to confirm an address works this long. */
  confirmHours: 48,
  /** Confirmation mails to one address within a day. */
  confirmationsPerDay: 3,
  /** A wish that nobody confirmed is erased after this time. */
  unconfirmedDays: 30,
} as const;
