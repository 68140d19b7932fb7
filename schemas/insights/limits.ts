/** Bounds of questions about opens. */
export const insightLimits = {
  /** Days of one question. */
  daysMax: 760,
  /** Hours can be asked for ranges up to so many days. */
  hourlyDaysMax: 14,
  linksComparedMax: 6,
  /** Answers serve for so long: what a page asks at once, and again in the next moment. */
  answersKeptMs: 3_000,
  listedMax: 50,
  /** A city is named from so many visitors up. */
  cityVisitorsMin: 5,
  /** For so long a visitor is recognised; over longer ranges their number is an upper estimate. */
  recognisedHours: 48,
} as const;
