import type { Clock } from "@pro-talent/platform/runtime/clock";

import type { SubscriberSource } from "./read-subscriber.ts";

/** What the newsletter's routes need. */
export type NewsletterRoutes = SubscriberSource & {
  readonly clock: Clock;
  /** See `newsletterTokenKey`. */
  readonly tokenKey: Buffer;
  /** Plain forms of other origins are refused. */
  readonly publicOrigin: string;
  /** Posts that one client address may send in a minute. */
  readonly formsPerMinute: number;
};
