import { createHash, randomUUID } from "node:crypto";

import type { ConsentEvent } from "@pro-talent/schemas/consent/events";

import { consentEvents } from "../consent/consent-events.ts";
import { currentConsent } from "../consent/current-consent.projection.ts";
import type { AppendRequest } from "../event-store/append.ts";

/** A new fact: a visitor accepted, or withdrew. */
export function consentEvent(type: ConsentEvent["type"] = "ConsentGranted"): ConsentEvent {
  return {
    type,
    data: { purpose: "analytics", method: "customise", notice: null, receiptId: randomUUID() },
  };
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function newStream(): string {
  return `consent-${randomUUID()}`;
}

/** One fact for a stream that does not exist yet, unless changed. */
export function consentAppend(
  change: Partial<AppendRequest<ConsentEvent>> = {},
): AppendRequest<ConsentEvent> {
  return {
    family: consentEvents,
    stream: newStream(),
    expected: "absent",
    events: [consentEvent()],
    commandId: randomUUID(),
    bodyHash: sha256("body"),
    reply: "{}",
    inline: [currentConsent],
    ...change,
  };
}
