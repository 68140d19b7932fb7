/**
 * Cookie with the anonymous id of a visitor who consented, for addresses of shared links alone: a link
 * is followed by a navigation, to which the browser's storage adds nothing.
 */
export const readerCookie = "reader";

/**
 * Bounds of the analytics calls. Texts beyond them are cut, times beyond them replaced by the time of
 * arrival; only a body or a session id that is too long is refused.
 */
export const analyticsLimits = {
  bodyBytesMax: 16 * 1024,
  /** Of one batch. */
  batchEventsMax: 100,
  batchBytesMax: 64 * 1024,
  pageCharsMax: 2048,
  titleCharsMax: 512,
  labelCharsMax: 256,
  utmCharsMax: 256,
  eventTypeCharsMax: 64,
  /** As JSON; larger data is not stored, the event is. */
  eventDataBytesMax: 4096,
  coordinateMax: 100_000,
  /** An event may be reported late (offline tab, retry) by this much and keep its own time. */
  lateMsMax: 24 * 60 * 60 * 1000,
  /** By how much a device's time may be wrong after its correction: delay of requests, drift. */
  clockErrorMsMax: 60 * 1000,
  /** A visit session ends after this much inactivity. */
  sessionIdleMs: 30 * 60 * 1000,
  sessionIdCharsMax: 4096,
} as const;
