import type { BrowserStorage } from "../../analytics/identity-store.ts";
import type { ConsentChoice } from "./consent-choice.ts";

/** Storage keys (specification §3). */
export const preferencesKey = "cookiePreferences";
export const givenKey = "cookieConsentGiven";

const optionalText = (source: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(source, name);
  return typeof value === "string" ? value : undefined;
};

function parseChoice(text: string): ConsentChoice {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) throw new Error("no choice");
  const analytics: unknown = Reflect.get(parsed, "analytics");
  const doNotTrack: unknown = Reflect.get(parsed, "doNotTrack");
  if (typeof analytics !== "boolean" || typeof doNotTrack !== "boolean") {
    throw new Error("no choice");
  }
  return {
    preferences: { essential: true, analytics, doNotTrack },
    noticeVersion: optionalText(parsed, "noticeVersion"),
    decidedAt: optionalText(parsed, "decidedAt"),
    receiptId: optionalText(parsed, "receiptId"),
  };
}

/**
 * The stored choice; undefined if there is none.
 * @throws when storage is blocked or has another value
 */
export function loadChoice(storage: BrowserStorage): ConsentChoice | undefined {
  if (storage.getItem(givenKey) !== "true") return undefined;
  const text = storage.getItem(preferencesKey);
  return text === null ? undefined : parseChoice(text);
}

/** @throws when storage is blocked or full */
export function saveChoice(storage: BrowserStorage, choice: ConsentChoice): void {
  const { preferences, ...about } = choice;
  storage.setItem(preferencesKey, JSON.stringify({ ...preferences, ...about }));
  storage.setItem(givenKey, "true");
}

/** @throws when storage is blocked */
export function clearChoice(storage: BrowserStorage): void {
  storage.removeItem(preferencesKey);
  storage.removeItem(givenKey);
}
