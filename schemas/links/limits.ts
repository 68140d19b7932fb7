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

/** Bounds of the calls for programs of account holders. */
export const apiLimits = {
  /** Rows of one page. */
  pageDefault: 50,
  pageMax: 100,
  /** Calls of one access token. */
  callsPerMinute: 60,
} as const;

/** Bounds of webhooks. */
export const webhookLimits = {
  /** Webhooks of one account. */
  webhooksMax: 5,
  /** Deliveries are listed for so long. */
  listedDays: 30,
  listedMax: 100,
  /** After a new secret the one before is valid for so long. */
  overlapHours: 24,
  /** With more in one overlap the oldest ends. */
  formerSecretsMax: 10,
  /** A message that does not arrive is tried for so long. */
  triedDays: 3,
} as const;
