import { consentHistory } from "./consent/consent-history.projection.ts";
import { currentConsent } from "./consent/current-consent.projection.ts";
import { readingStored, type StoredProjection } from "./event-store/projection.ts";
import { releasedIssues } from "./newsletter-issue/released-issue.projection.ts";
import { newsletterSubscriber } from "./newsletter/subscriber.projection.ts";

/** Every projection of the ledger, of all domains. */
export const projections: readonly StoredProjection[] = [
  readingStored(currentConsent),
  readingStored(consentHistory),
  readingStored(newsletterSubscriber),
  readingStored(releasedIssues),
];
