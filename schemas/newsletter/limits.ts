/** Bounds of the newsletter call. Fields beyond them are refused, never cut. */
export const newsletterLimits = {
  bodyBytesMax: 8 * 1024,
  consentTextCharsMax: 500,
  trapCharsMax: 500,
  errorCharsMax: 300,
} as const;
