import { createHash, randomUUID } from "node:crypto";

import type { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { consentEvents, currentConsent } from "../domains/consent/read-models.ts";
import type { AppendRequest } from "../kernel/append.ts";
import { idOf } from "../kernel/events.ts";
import { inlineChanges } from "../kernel/read-model.ts";
import { testCause } from "./create-test-ledger.ts";

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
  const { stream = newStream(), events = [consentEvent()] } = change;
  const occurredAt = instantFromMs(Date.UTC(2026, 0, 5));
  const added = events.map((event) => ({ event, stream, id: idOf(stream), occurredAt }));
  return {
    family: consentEvents,
    stream,
    expected: "absent",
    events,
    commandId: randomUUID(),
    bodyHash: sha256("body"),
    reply: "{}",
    cause: testCause(),
    changes: inlineChanges([currentConsent], {}, added),
    ...change,
  };
}
