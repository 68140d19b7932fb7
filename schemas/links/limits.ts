/** Bounds of share links. */
export const linkLimits = {
  /** Links that one account may hold; deleted ones do not count. */
  linksMax: 500,
  labelCharsMax: 80,
  noteCharsMax: 500,
  urlCharsMax: 2048,
  codeCharsMin: 4,
  codeCharsMax: 40,
  passwordCharsMin: 4,
  passwordCharsMax: 128,
  /** Recipients of one paste. */
  recipientsMax: 100,
  fileBytesMax: 10 * 1024 * 1024,
  fileNameCharsMax: 120,
} as const;
