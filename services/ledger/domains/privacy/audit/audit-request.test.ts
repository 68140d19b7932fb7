import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { clocksOf } from "@pro-talent/schemas/privacy/clocks";
import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { describe, expect, it } from "vitest";

import type { Dated } from "./audit-clock.ts";
import { auditedRequest } from "./audit-request.ts";

const id = "7f8fad5b-d9cb-469f-a165-70867728950e";
const officerId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const startMs = Date.UTC(2026, 2, 1, 9);
const day = (days: number): Instant => instantFromMs(startMs + days * 24 * 60 * 60_000);
const on = (days: number, event: PrivacyEvent): Dated => ({ at: day(days), event });

const received = on(0, {
  type: "RequestReceived",
  data: { requestType: "access", accountId: officerId, clocks: clocksOf("access", day(0)) },
});
const verified = (days: number) =>
  on(days, { type: "IdentityVerified", data: { method: "mailed-code" } });
const assigned = (days: number) =>
  on(days, { type: "Assigned", data: { officerId, until: day(days + 1) } });
const extended = (law: "ccpa" | "gdpr", days: number) =>
  on(days, { type: "ExtensionDeclared", data: { officerId, law } });
const notified = (days: number, result: "sent" | "later" = "sent") =>
  on(days, { type: "NoticeTried", data: { notice: "extended", result } });
const denied = (days: number) =>
  on(days, { type: "RequestDenied", data: { officerId, reason: "other" } });

/** The clocks of these events as an audit of that day has them, as `<clock> <result>`. */
const clocksOn = (days: number, events: readonly Dated[], of?: string) =>
  (auditedRequest(id, events, day(days))?.clocks ?? [])
    .filter(({ clock }) => of === undefined || clock === of)
    .map(({ clock, result }) => `${clock} ${result}`);

describe("the time to verify who asks", () => {
  it("is kept by a verification within 14 days, or by an end of the request", () => {
    const expired = on(14.01, { type: "IdentityExpired", data: {} });
    expect(clocksOn(20, [received, verified(13)], "identity")).toEqual(["identity met"]);
    expect(clocksOn(20, [received, expired], "identity")).toEqual(["identity met"]);
    expect(clocksOn(14.5, [received], "identity")).toEqual(["identity running"]);
  });

  it("is missed by a later verification, and by a request that stays open", () => {
    expect(clocksOn(20, [received, verified(14)], "identity")).toEqual(["identity missed"]);
    expect(clocksOn(15.1, [received], "identity")).toEqual(["identity missed"]);
    const late = on(16, { type: "IdentityExpired", data: {} });
    expect(clocksOn(20, [received, late], "identity")).toEqual(["identity missed"]);
  });

  it("does not run for who had signed in", () => {
    expect(clocksOn(1, [received, verified(0)])).toEqual(["due running"]);
  });
});

describe("an extension", () => {
  const asked = [received, verified(0), assigned(2)];

  it("is announced before the due date, and the decision is in time by the law that permits it", () => {
    const kept = [...asked, extended("gdpr", 2), notified(3), assigned(80), denied(80)];
    expect(clocksOn(100, kept)).toEqual(["due missed", "extension-notice met", "extension met"]);
  });

  it("is missed when its holder was not notified in time", () => {
    const late = [...asked, extended("gdpr", 2), notified(3, "later"), notified(30)];
    expect(clocksOn(31, late, "extension-notice")).toEqual(["extension-notice missed"]);
    const never = [...asked, extended("ccpa", 2)];
    expect(clocksOn(10, never, "extension-notice")).toEqual(["extension-notice running"]);
    expect(clocksOn(30, never, "extension-notice")).toEqual(["extension-notice missed"]);
  });

  it("ends after 90 days by the CCPA, and after three months by the GDPR", () => {
    const decidedOn = (law: "ccpa" | "gdpr", days: number) =>
      clocksOn(
        200,
        [...asked, extended(law, 2), notified(3), assigned(days), denied(days)],
        "extension",
      );
    expect(decidedOn("ccpa", 90)).toEqual(["extension met"]);
    expect(decidedOn("ccpa", 91)).toEqual(["extension missed"]);
    expect(decidedOn("gdpr", 91)).toEqual(["extension met"]);
    expect(decidedOn("gdpr", 93)).toEqual(["extension missed"]);
  });

  it("that is decided before its notice was sent owes none", () => {
    const decided = [...asked, extended("gdpr", 2), denied(2)];
    expect(clocksOn(100, decided)).toEqual(["due met", "extension-notice met", "extension met"]);
  });
});

describe("a package", () => {
  const sealed = on(3, {
    type: "PackageSealed",
    data: { sha256: "a".repeat(64), expiresAt: day(17) },
  });
  const ready = [
    received,
    verified(0),
    assigned(1),
    on(1, { type: "AccessApproved", data: { officerId, steps: ["links"] } }),
    on(2, { type: "StepDone", data: { step: "links", found: 1, left: 0 } }),
    sealed,
  ];
  const downloaded = (days: number) => on(days, { type: "PackageDownloaded", data: {} });
  const expired = (days: number) => on(days, { type: "PackageExpired", data: {} });
  const forgotten = (days: number) => on(days, { type: "ContentsForgotten", data: {} });

  it("is there for 14 days and five downloads, and then nothing opens it", () => {
    const five = [4, 5, 6, 7, 8].map((days) => downloaded(days));
    const kept = [...ready, ...five, expired(17.01), forgotten(17.02)];
    expect(clocksOn(60, kept)).toEqual(["due met", "package met", "package-contents met"]);
    expect(clocksOn(10, ready)).toEqual(["due met", "package running"]);
  });

  it("is missed when it was downloaded for longer or more often, ended early, or stayed", () => {
    const six = [4, 5, 6, 7, 8, 9].map((days) => downloaded(days));
    const missed = ["package missed"];
    expect(clocksOn(60, [...ready, ...six, expired(17)], "package")).toEqual(missed);
    expect(clocksOn(60, [...ready, downloaded(17), expired(17.01)], "package")).toEqual(missed);
    expect(clocksOn(60, [...ready, expired(16)], "package")).toEqual(missed);
    expect(clocksOn(60, [...ready, expired(19)], "package")).toEqual(missed);
    expect(clocksOn(18.1, ready, "package")).toEqual(missed);
  });

  it("is missed when what opens it was not destroyed within a day", () => {
    const kept = [...ready, expired(17.01)];
    expect(clocksOn(17.5, kept, "package-contents")).toEqual(["package-contents running"]);
    expect(clocksOn(19, kept, "package-contents")).toEqual(["package-contents missed"]);
    const late = [...kept, forgotten(30)];
    expect(clocksOn(60, late, "package-contents")).toEqual(["package-contents missed"]);
  });

  it("ends with the account that is erased", () => {
    const erased = [...ready, on(9, { type: "RequestEndedByErasure", data: {} })];
    expect(clocksOn(60, erased)).toEqual(["due met", "package met", "package-contents met"]);
  });
});
