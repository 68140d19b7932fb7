import type { ConsentMethod, SessionConsent } from "@pro-talent/schemas/analytics/wire";

import type { TrackingSignal } from "./tracking-signals.ts";

export type ConsentDecision = {
  decision: "grant" | "refuse";
  method: ConsentMethod;
  /** The browser's standing refusal, when there is one. */
  signal: TrackingSignal | undefined;
};

/**
 * What a consent call decides. A grant needs both `hasConsent` and `detailed`; anything else is a
 * refusal. A browser's standing refusal, in the request's headers or told as the method, turns a
 * grant into a refusal, whatever was clicked. The specification's body has no method: then all was
 * accepted, or all was rejected.
 */
export function decisionOf(
  body: Pick<SessionConsent, "hasConsent" | "consentType" | "method">,
  requestSignal: TrackingSignal | undefined,
): ConsentDecision {
  const { method } = body;
  const signal = requestSignal ?? (method === "dnt" || method === "gpc" ? method : undefined);
  const wanted = body.hasConsent && body.consentType === "detailed";
  if (wanted && signal === undefined) {
    return { decision: "grant", method: method ?? "accept_all", signal };
  }
  const refusal = wanted ? signal : method;
  return { decision: "refuse", method: refusal ?? signal ?? "reject_all", signal };
}
