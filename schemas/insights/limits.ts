/** Bounds of questions about opens. */
export const insightLimits = {
  /** Days of one question. */
  daysMax: 760,
  /** Hours can be asked for ranges up to so many days. */
  hourlyDaysMax: 14,
  linksComparedMax: 6,
  listedMax: 50,
  /** A city is named from so many visitors up. */
  cityVisitorsMin: 5,
  /** For so long a visitor is recognised; over longer ranges their number is an upper estimate. */
  recognisedHours: 48,
} as const;
