/** Bounds of the analytics calls. Bodies and fields beyond them are refused, never cut. */
export const analyticsLimits = {
  bodyBytesMax: 16 * 1024,
  pageCharsMax: 2048,
  titleCharsMax: 512,
  labelCharsMax: 256,
  utmCharsMax: 256,
  eventDataBytesMax: 4096,
  coordinateMax: 100_000,
  /** An event may be reported late (offline tab, retry), but not before this. */
  lateMsMax: 24 * 60 * 60 * 1000,
  /** Clocks of devices may run ahead by this much. */
  aheadMsMax: 5 * 60 * 1000,
  /** A visit session ends after this much inactivity. */
  sessionIdleMs: 30 * 60 * 1000,
  sessionIdCharsMax: 4096,
} as const;
