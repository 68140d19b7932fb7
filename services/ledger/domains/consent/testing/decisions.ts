import { randomUUID } from "node:crypto";

import type { NoticeShown } from "@pro-talent/schemas/analytics/wire";
import { ConsentDecisionRequest } from "@pro-talent/schemas/consent/calls";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";

export const englishNotice: NoticeShown = {
  version: "2025-10-17",
  language: "en",
  textHash: "a".repeat(64),
};

export function newVisitor(): VisitorId {
  return VisitorId.parse(randomUUID());
}

/** A decision as the collector hands it in: an acceptance of the English notice, unless changed. */
export function decision(change: Partial<ConsentDecisionRequest> = {}): ConsentDecisionRequest {
  return ConsentDecisionRequest.parse({
    commandId: randomUUID(),
    visitorId: newVisitor(),
    purpose: "analytics",
    decision: "grant",
    method: "accept_all",
    notice: englishNotice,
    ...change,
  });
}
