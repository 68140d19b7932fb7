import type { ConsentChoice } from "./consent-choice.ts";

/** Names of what the browser keeps (specification §3). */
export const preferencesKey = "cookiePreferences";
export const givenKey = "cookieConsentGiven";

export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const optionalText = (source: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(source, name);
  return typeof value === "string" ? value : undefined;
};

function parseChoice(text: string): ConsentChoice {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) throw new Error("not a consent choice");
  const analytics: unknown = Reflect.get(parsed, "analytics");
  const doNotTrack: unknown = Reflect.get(parsed, "doNotTrack");
  if (typeof analytics !== "boolean" || typeof doNotTrack !== "boolean") {
    throw new Error("not a consent choice");
  }
  const noticeVersion = optionalText(parsed, "noticeVersion");
  const decidedAt = optionalText(parsed, "decidedAt");
  const receiptId = optionalText(parsed, "receiptId");
  return {
    preferences: { essential: true, analytics, doNotTrack },
    ...(noticeVersion === undefined ? {} : { noticeVersion }),
    ...(decidedAt === undefined ? {} : { decidedAt }),
    ...(receiptId === undefined ? {} : { receiptId }),
  };
}

/**
 * The saved choice, or undefined when none was given.
 * @throws when storage is blocked or holds something that is not a choice
 */
export function loadChoice(shelf: Shelf): ConsentChoice | undefined {
  if (shelf.getItem(givenKey) !== "true") return undefined;
  const text = shelf.getItem(preferencesKey);
  return text === null ? undefined : parseChoice(text);
}

/** @throws when storage is blocked or full */
export function saveChoice(shelf: Shelf, choice: ConsentChoice): void {
  const { preferences, ...about } = choice;
  shelf.setItem(preferencesKey, JSON.stringify({ ...preferences, ...about }));
  shelf.setItem(givenKey, "true");
}

/** @throws when storage is blocked */
export function clearChoice(shelf: Shelf): void {
  shelf.removeItem(preferencesKey);
  shelf.removeItem(givenKey);
}

/**
 * Adds a receipt to the saved choice, if there is one.
 * @throws when storage is blocked, full, or holds something that is not a choice
 */
export function keepReceiptWith(shelf: Shelf, receiptId: string): void {
  const choice = loadChoice(shelf);
  if (choice !== undefined) saveChoice(shelf, { ...choice, receiptId });
}
