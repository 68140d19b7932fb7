import { SessionId } from "@pro-talent/schemas/analytics/wire";
import { VisitorId } from "@pro-talent/schemas/primitives/ids";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";
import fc from "fast-check";
import { v7 as uuidV7 } from "uuid";
import { describe, expect, it } from "vitest";

import type { VisitSession } from "../visit-session.ts";
import { deriveKeys } from "./identity.ts";
import { createSessionTokens, sessionAgeMsMax } from "./session-token.ts";

const first = "first-secret-of-the-collector-000001";
const second = "second-secret-of-the-collector-00002";
const startedAtMs = Date.parse("2026-03-01T08:00:00.000Z");

const tokensOf = (...secrets: string[]) => createSessionTokens(deriveKeys(secrets).tokenKeys);

function visitSession(change: Partial<VisitSession> = {}): VisitSession {
  return {
    sessionId: uuidV7({ msecs: startedAtMs }),
    visitorId: VisitorId.parse("0b7c4e38-91a5-8b1e-a7a4-0c4f8a3d2e11"),
    startedAtMs,
    startedAt: instantFromMs(startedAtMs),
    entryPage: "/pricing",
    referrerDomain: "example.org",
    channel: "referral",
    utmSource: "",
    utmMedium: "",
    utmCampaign: "קמפיין",
    utmTerm: "",
    utmContent: "",
    ...change,
  };
}

describe("visit session ids", () => {
  it("open to the visit session they were made for, on every instance with the same key", () => {
    const session = visitSession();
    const sessionId = tokensOf(first).seal(session);
    expect(tokensOf(first).open(sessionId, startedAtMs)).toEqual(session);
    expect(sessionId.startsWith(`${session.sessionId}.`)).toBe(true);
  });

  it("show nothing of the visitor", () => {
    const session = visitSession({ entryPage: "/ats/what-is-ats" });
    const sealed = tokensOf(first).seal(session).split(".")[1] ?? "";
    const bytes = Buffer.from(sealed, "base64url").toString("latin1");
    expect(bytes).not.toContain(session.visitorId);
    expect(bytes).not.toContain("what-is-ats");
  });

  it("are opened after the key was changed, as long as the previous one is kept", () => {
    const session = visitSession();
    const old = tokensOf(first).seal(session);
    expect(tokensOf(second, first).open(old, startedAtMs)).toEqual(session);
    expect(tokensOf(second).open(old, startedAtMs)).toBeUndefined();
    const fresh = tokensOf(second, first).seal(session);
    expect(tokensOf(second).open(fresh, startedAtMs)).toEqual(session);
  });

  it("are unknown once they are too old, also when they were opened before", () => {
    const tokens = tokensOf(first);
    const sessionId = tokens.seal(visitSession());
    expect(tokens.open(sessionId, startedAtMs + sessionAgeMsMax)).toBeDefined();
    expect(tokens.open(sessionId, startedAtMs + sessionAgeMsMax + 1)).toBeUndefined();
    expect(tokens.open(sessionId, startedAtMs - 10 * 60_000)).toBeUndefined();
  });

  it("are refused when a single character was changed", () => {
    const sessionId = tokensOf(first).seal(visitSession());
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    fc.assert(
      fc.property(
        fc.nat(sessionId.length - 2),
        fc.constantFrom(...alphabet.split("")),
        (index, character) => {
          fc.pre(sessionId[index] !== character);
          const forged = sessionId.slice(0, index) + character + sessionId.slice(index + 1);
          expect(tokensOf(first).open(forged, startedAtMs)).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are refused with the sealed part of another one", () => {
    const tokens = tokensOf(first);
    const [, sealed = ""] = tokens.seal(visitSession()).split(".");
    expect(tokens.open(`${uuidV7({ msecs: startedAtMs })}.${sealed}`, startedAtMs)).toBeUndefined();
  });

  it("are refused, never an error, when they are arbitrary text", () => {
    const tokens = tokensOf(first);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(tokens.open(text, startedAtMs)).toBeUndefined();
        expect(
          tokens.open(`${uuidV7({ msecs: startedAtMs })}.${text}`, startedAtMs),
        ).toBeUndefined();
      }),
    );
  });

  it("fit the contract with the longest arrival that is accepted", () => {
    const longest = visitSession({
      entryPage: "ש".repeat(256),
      referrerDomain: "a".repeat(253),
      utmCampaign: "ש".repeat(800),
    });
    expect(SessionId.safeParse(tokensOf(first).seal(longest)).success).toBe(true);
  });
});
