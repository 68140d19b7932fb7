import { describe, expect, it } from "vitest";

import { trackingSignal } from "./consent/tracking-signal.ts";
import { decisionOf } from "./decide-consent.ts";

const accepted = { hasConsent: true, consentType: "detailed" } as const;
const rejected = { hasConsent: false, consentType: "none" } as const;

describe("a consent call", () => {
  it("grants with the specification's body alone", () => {
    expect(decisionOf(accepted, undefined)).toEqual({
      decision: "grant",
      method: "accept_all",
      signal: undefined,
    });
  });

  it.each([
    [rejected],
    [{ hasConsent: true, consentType: "none" } as const],
    [{ hasConsent: false, consentType: "detailed" } as const],
  ])("refuses with %o", (body) => {
    expect(decisionOf(body, undefined)).toEqual({
      decision: "refuse",
      method: "reject_all",
      signal: undefined,
    });
  });

  it("keeps the method of the decision", () => {
    expect(decisionOf({ ...accepted, method: "customise" }, undefined).method).toBe("customise");
    expect(decisionOf({ ...rejected, method: "customise" }, undefined).method).toBe("customise");
  });

  it.each(["dnt", "gpc"] as const)("turns a grant into a refusal under %s", (signal) => {
    const refusal = { decision: "refuse", method: signal, signal };
    expect(decisionOf({ ...accepted, method: "accept_all" }, signal)).toEqual(refusal);
    expect(decisionOf({ ...accepted, method: signal }, undefined)).toEqual(refusal);
    expect(decisionOf(rejected, signal)).toEqual(refusal);
  });
});

describe("the tracking signal of a browser", () => {
  it.each([
    [{ dnt: "1" }, "dnt"],
    [{ "sec-gpc": "1" }, "gpc"],
    [{ dnt: "0, 1" }, "dnt"],
    [{ dnt: "0", "sec-gpc": "1" }, "gpc"],
    [{ dnt: " 1 " }, "dnt"],
    [{ "sec-gpc": "1, 1" }, "gpc"],
    [{ dnt: "0" }, undefined],
    [{ dnt: "null" }, undefined],
    [{ dnt: "unspecified" }, undefined],
    [{ "sec-gpc": "10" }, undefined],
    [{}, undefined],
  ])("is read from %o as %s", (headers, signal) => {
    expect(trackingSignal(headers)).toBe(signal);
  });
});
