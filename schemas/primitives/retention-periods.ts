import type { Period } from "./data-map.ts";
import { instantFromMs, instantPlusMonths } from "./instant.ts";

const hours = (count: number): Period => ({ count, unit: "hour" });
const days = (count: number): Period => ({ count, unit: "day" });
const months = (count: number): Period => ({ count, unit: "month" });
const years = (count: number): Period => ({ count, unit: "year" });

/**
 * How long what is stored of people is kept: the data maps, the code that deletes and the texts of the
 * policies agree on these. A test compares the rules that a database states itself, and the policies.
 */
export const retentionPeriods = {
  /** Visits, and opens of links. */
  visits: months(25),
  /** Ids of events of a visit, so that none is stored twice. */
  eventClaims: hours(72),
  /** What recognises a visitor of a link. */
  recognition: hours(48),
  /** Records of visits that ClickHouse cannot read, or that the disk damaged. */
  quarantine: days(30),
  erasures: days(90),
  /** Messages of the outbox that were delivered or given up. */
  messages: days(90),
  /** What became of each mail of a newsletter issue. */
  issueDeliveries: months(12),
  /** Jobs of the queue that have failed; others are removed earlier. */
  jobs: days(30),
  /** What operators did, and who was given which rights. */
  operatorActions: months(24),
  /** Texts of analysts' queries. */
  analystQueries: months(24),
  /** An account that is not used. */
  inactiveAccount: years(3),
  signInSession: days(90),
  knownDevice: days(180),
  attempts: days(2),
  mailedLinks: days(30),
  /** Challenges, tickets and access tokens that have ended. */
  endedProofs: hours(1),
  /** Mails that one mailbox was sent; the job that forgets them runs every hour. */
  countedMails: hours(25),
  /** Files of logs on one machine. */
  logs: days(30),
  /** Where a collector of traces is configured. */
  traces: days(3),
  /** Mails that the mail catcher holds. */
  caughtMails: days(30),
} as const;

const msOf = { hour: 3_600_000, day: 86_400_000 } as const;

/** The moment before which something recorded has been kept for this long, in milliseconds since 1970. */
export function keptSinceMs({ count, unit }: Period, nowMs: number): number {
  if (unit === "hour" || unit === "day") return nowMs - count * msOf[unit];
  const months = unit === "year" ? 12 * count : count;
  return Date.parse(instantPlusMonths(instantFromMs(nowMs), -months));
}
