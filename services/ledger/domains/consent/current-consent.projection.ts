import type { ConsentEvent } from "@pro-talent/schemas/consent/events";

import type { Projection } from "../event-store/projection.ts";
import { consentEvents, visitorOf } from "./consent-events.ts";

/**
 * Whether a visitor's consent to a purpose stands now. Written with the append: the first event
 * after an acknowledged decision is judged by it. The collector reads it through the view
 * `ledger.consent_gate (visitor_id, granted)`, which shows the purpose `analytics` alone.
 */
export const currentConsent: Projection<ConsentEvent> = {
  name: "current_consent",
  mode: "inline",
  family: consentEvents,
  tables: { consent_current: ["visitor_id", "purpose"] },
  evolve: ({ event, stream }) => [
    {
      table: "consent_current",
      put: {
        visitor_id: visitorOf(stream),
        purpose: event.data.purpose,
        granted: event.type === "ConsentGranted",
      },
    },
  ],
};
