/** Bounds of the contact call. Fields beyond them are refused, never cut. */
export const contactLimits = {
  bodyBytesMax: 32 * 1024,
  nameCharsMax: 120,
  subjectCharsMax: 200,
  /** After trimming (specification §5). */
  messageCharsMin: 10,
  messageCharsMax: 5000,
  sessionIdCharsMax: 4096,
  trapCharsMax: 500,
} as const;
