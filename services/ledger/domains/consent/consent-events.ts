import { ConsentEvent } from "@pro-talent/schemas/consent/events";
import type { VisitorId } from "@pro-talent/schemas/primitives/ids";

import type { EventFamily } from "../event-store/event-registry.ts";

const category = "consent";

/** Every event of a consent stream, all in their first version. */
export const consentEvents: EventFamily<ConsentEvent> = {
  category,
  contract: ConsentEvent,
  upcasts: { ConsentGranted: [], ConsentWithdrawn: [] },
};

/** The stream of one visitor's decisions. */
export function consentStream(visitorId: VisitorId): string {
  return `${category}-${visitorId.toLowerCase()}`;
}

/** The visitor (a keyed pseudonym) whose decisions a stream holds. */
export function visitorOf(stream: string): string {
  return stream.slice(category.length + 1);
}
