/**
 * What a day is made of. None of it is measured: these are assumptions, stated on the capacity page, and
 * the first to be replaced by what a running product shows.
 */
export const assumed = {
  /** The busiest hour beside the mean of the day. */
  peak: 4,
  /** A link or a portfolio is opened once for so many events of the site. */
  eventsPerOpen: 100,
  /** A decision is recorded once for so many events: a consent, a form, a purchase. */
  eventsPerFact: 100,
  /** Mails, processes and timers that follow from a decision. */
  jobsPerFact: 2,
  /** Events of the site in a day, for each account. */
  eventsPerAccount: 100,
  /** Of a hundred accounts so many are used on a day, and each makes so many calls. */
  activeAccounts: 10,
  callsPerActiveAccount: 20,
  /** One of five looks at its figures: thirteen questions. */
  questionsPerActiveAccount: 13 / 5,
  /** Processor time of Postgres for a signed-in call, ms. */
  callDatabaseCpuMs: 1,
} as const;

export const kinds = ["events", "opens", "facts", "calls", "questions"] as const;
export type Kind = (typeof kinds)[number];

/** Arrivals a second in the busiest hour. */
export type Traffic = Readonly<Record<Kind, number>>;

export const secondsPerDay = 86_400;

/** Accounts of a product with so many events of the site in a day. */
export const accountsOf = (eventsPerDay: number): number => eventsPerDay / assumed.eventsPerAccount;

export function trafficOf(eventsPerDay: number): Traffic {
  const events = (eventsPerDay * assumed.peak) / secondsPerDay;
  const active = (events / assumed.eventsPerAccount) * (assumed.activeAccounts / 100);
  return {
    events,
    opens: events / assumed.eventsPerOpen,
    facts: events / assumed.eventsPerFact,
    calls: active * assumed.callsPerActiveAccount,
    questions: active * assumed.questionsPerActiveAccount,
  };
}

/** The same mixture, more or less of it. */
export function times(traffic: Traffic, factor: number): Traffic {
  return {
    events: traffic.events * factor,
    opens: traffic.opens * factor,
    facts: traffic.facts * factor,
    calls: traffic.calls * factor,
    questions: traffic.questions * factor,
  };
}
