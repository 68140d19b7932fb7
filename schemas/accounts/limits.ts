/** Bounds of accounts, shared by browser and server. */
export const accountLimits = {
  /** Code points; any script, never cut (ASVS 5.0, 6.2.1 and 6.2.9). */
  passwordCharsMin: 8,
  passwordCharsMax: 128,
  nameCharsMax: 100,
  phoneCharsMax: 30,
  addressCharsMax: 300,
  handleCharsMin: 3,
  handleCharsMax: 30,
  headlineCharsMax: 120,
  summaryCharsMax: 2_000,
  pageLinksMax: 6,
  pageLinkLabelCharsMax: 60,
  /** Of the picture as it is sent. */
  photoBytesMax: 8 * 1024 * 1024,
  totpDigits: 6,
  recoveryCodes: 10,
  passkeysMax: 10,
  passkeyNameCharsMax: 60,
  accessTokensMax: 10,
  accessTokenNameCharsMax: 60,
} as const;

/** Days until an access token ends. */
export const accessTokenDays = [30, 90, 365] as const;
