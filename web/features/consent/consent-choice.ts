import { consentNoticeVersion, consentReaskMonths } from "@pro-talent/schemas/consent/notice";

import type { ConsentBody } from "../../analytics/calls.ts";
import type { PrivacySignal } from "../../analytics/privacy-signal.ts";
import type { ConsentStatus } from "../../analytics/visit-session.ts";

/** Specification §3. Essential storage needs no consent. */
export type ConsentPreferences = { essential: true; analytics: boolean; doNotTrack: boolean };

export type ChoiceMethod = NonNullable<ConsentBody["method"]>;

export type ConsentChoice = {
  preferences: ConsentPreferences;
  /** Version of the text that was shown; undefined for choices without one. */
  noticeVersion?: string | undefined;
  /** ISO 8601. */
  decidedAt?: string | undefined;
  receiptId?: string | undefined;
};

/** Where a decision was made; each surface has its own text. */
export type ConsentSurface = "banner" | "settings";

/** What is known of the consent, and what is on screen. */
export type ConsentState = {
  /** The valid choice of this browser. */
  choice: ConsentChoice | undefined;
  /** The banner is on screen, perhaps under the settings. */
  asking: boolean;
  /** The settings are open. */
  settings: boolean;
  /** The last decision that was made on this page. */
  decision: { method: ChoiceMethod; surface: ConsentSurface } | undefined;
};

export type ConsentEvent =
  | { type: "storage.read"; choice: ConsentChoice | undefined }
  | { type: "accept.all" }
  | { type: "reject.all" }
  | { type: "save"; analytics: boolean }
  | { type: "reset" }
  | { type: "settings.requested" }
  | { type: "settings.dismissed" }
  | { type: "backdrop.clicked" }
  | { type: "receipt.arrived"; receiptId: string };

/** The path of receipts, repeated to keep the contract's validator out of the browser. */
export const receiptPath = "/api/consent/receipts";

/** What decides which choices count. */
export type ConsentTerms = {
  /** A browser signal that overrides every choice. */
  signal: PrivacySignal | undefined;
  noticeVersion: string;
  /** Months after which a refusal may be asked about again. */
  reaskMonths: number;
  now: () => number;
};

export function currentTerms(signal: PrivacySignal | undefined): ConsentTerms {
  const now = (): number => Date.now();
  return { signal, noticeVersion: consentNoticeVersion, reaskMonths: consentReaskMonths, now };
}

/** Undefined if the text has changed since, or if an old refusal may be asked about again. */
export function validChoice(
  choice: ConsentChoice | undefined,
  { noticeVersion, reaskMonths, now }: ConsentTerms,
): ConsentChoice | undefined {
  if (choice === undefined) return undefined;
  if (choice.noticeVersion !== undefined && choice.noticeVersion !== noticeVersion)
    return undefined;
  if (choice.preferences.analytics || choice.decidedAt === undefined) return choice;
  const askAgain = new Date(choice.decidedAt);
  askAgain.setUTCMonth(askAgain.getUTCMonth() + reaskMonths);
  // A choice with an unreadable date is kept.
  return now() >= askAgain.getTime() ? undefined : choice;
}

/** A choice made now. */
export function choose(
  analytics: boolean,
  { signal, noticeVersion, now }: ConsentTerms,
): ConsentChoice {
  const doNotTrack = signal !== undefined;
  return {
    preferences: { essential: true, analytics: analytics && !doNotTrack, doNotTrack },
    noticeVersion,
    decidedAt: new Date(now()).toISOString(),
  };
}

/** Analytics consent counts only without a do-not-track signal (specification §4). */
export function consentStatus(
  choice: ConsentChoice | undefined,
  { signal }: Pick<ConsentTerms, "signal">,
): ConsentStatus {
  if (signal !== undefined) return "refused";
  if (choice === undefined) return "undecided";
  const { analytics, doNotTrack } = choice.preferences;
  return analytics && !doNotTrack ? "granted" : "refused";
}
