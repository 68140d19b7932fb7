import { expect, test } from "vitest";

import { type ConsentChoice, consentStatus } from "./consent-choice.ts";
import { clearChoice, loadChoice, saveChoice } from "./consent-storage.ts";

const storageWith = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
});

const choice: ConsentChoice = {
  preferences: { essential: true, analytics: true, doNotTrack: false },
  noticeVersion: "v1",
  decidedAt: "2026-01-01T00:00:00.000Z",
  receiptId: "r-1",
};

test("a choice is kept under the specified names and read back whole", () => {
  const entries = new Map<string, string>();
  saveChoice(storageWith(entries), choice);
  expect(entries.get("cookieConsentGiven")).toBe("true");
  expect(JSON.parse(entries.get("cookiePreferences") ?? "")).toMatchObject({
    essential: true,
    analytics: true,
    doNotTrack: false,
  });
  expect(loadChoice(storageWith(entries))).toEqual(choice);
  clearChoice(storageWith(entries));
  expect(entries.size).toBe(0);
});

test("preferences that only follow the specification are a choice", () => {
  const entries = new Map([
    ["cookieConsentGiven", "true"],
    ["cookiePreferences", '{"essential":true,"analytics":false,"doNotTrack":false}'],
  ]);
  expect(loadChoice(storageWith(entries))).toEqual({
    preferences: { essential: true, analytics: false, doNotTrack: false },
  });
});

test("preferences without the mark of a given consent are no choice", () => {
  const entries = new Map([["cookiePreferences", JSON.stringify({ analytics: true })]]);
  expect(loadChoice(storageWith(entries))).toBeUndefined();
});

test.each(["{", "null", '{"analytics":"yes","doNotTrack":false}'])(
  "what is not a choice is refused: %s",
  (text) => {
    const entries = new Map([
      ["cookieConsentGiven", "true"],
      ["cookiePreferences", text],
    ]);
    expect(() => loadChoice(storageWith(entries))).toThrow(/JSON|no choice/);
  },
);

test("consent counts only without a do-not-track signal", () => {
  const status = (analytics: boolean, doNotTrack: boolean) =>
    consentStatus(
      { preferences: { essential: true, analytics, doNotTrack } },
      { signal: undefined },
    );
  expect(status(true, false)).toBe("granted");
  expect(status(true, true)).toBe("refused");
  expect(status(false, false)).toBe("refused");
  expect(consentStatus(choice, { signal: "dnt" })).toBe("refused");
});
