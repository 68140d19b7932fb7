/** Specification §3. Essential storage needs no consent. */
export type ConsentPreferences = { essential: true; analytics: boolean; doNotTrack: boolean };

/** The same values as in the collector's contract. */
export type ChoiceMethod = "accept_all" | "reject_all" | "customise" | "dnt" | "gpc";

export type ConsentChoice = {
  preferences: ConsentPreferences;
  /** Version of the text that was shown; undefined for choices without one. */
  noticeVersion?: string;
  /** ISO 8601. */
  decidedAt?: string;
  receiptId?: string;
};

export const essentialOnly: ConsentPreferences = {
  essential: true,
  analytics: false,
  doNotTrack: false,
};

/** Consent counts only without a do-not-track signal (specification §4). */
export function allowsAnalytics(preferences: ConsentPreferences): boolean {
  return preferences.analytics && !preferences.doNotTrack;
}

export type ReaskRule = { noticeVersion: string; months: number };

/**
 * False if the text has changed since, or if the choice is an old refusal that may be asked again.
 */
function isStillValid(choice: ConsentChoice, rule: ReaskRule, nowMs: number): boolean {
  if (choice.noticeVersion !== undefined && choice.noticeVersion !== rule.noticeVersion)
    return false;
  if (choice.preferences.analytics || choice.decidedAt === undefined) return true;
  const askAgain = new Date(choice.decidedAt);
  askAgain.setUTCMonth(askAgain.getUTCMonth() + rule.months);
  return nowMs < askAgain.getTime();
}

/** The choice that an answer to the banner makes now. */
export function answered(
  accepts: boolean,
  terms: { signal: ChoiceMethod | undefined; rule: ReaskRule; now: () => number },
): ConsentChoice {
  const doNotTrack = terms.signal !== undefined;
  return {
    preferences: { essential: true, analytics: accepts && !doNotTrack, doNotTrack },
    noticeVersion: terms.rule.noticeVersion,
    decidedAt: new Date(terms.now()).toISOString(),
  };
}

export type FoundConsent = { preferences: ConsentPreferences; given: boolean };

/** What a stored choice means now; a browser signal overrides it. */
export function consentFound(
  choice: ConsentChoice | undefined,
  terms: { signal: ChoiceMethod | undefined; rule: ReaskRule; now: () => number },
): FoundConsent {
  const doNotTrack = terms.signal !== undefined;
  const given = choice !== undefined && isStillValid(choice, terms.rule, terms.now());
  const analytics = given && !doNotTrack && allowsAnalytics(choice.preferences);
  return { preferences: { essential: true, analytics, doNotTrack }, given };
}
