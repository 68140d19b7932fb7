import type { i18n } from "i18next";

import type { PrivacySignal } from "../analytics/privacy-signal.ts";
import type { Tracker } from "../analytics/tracker.ts";
import type { ConsentActor } from "../features/consent/consent-actor.ts";
import { allowsAnalytics } from "../features/consent/consent-choice.ts";
import { noticeShown } from "../features/consent/notice-text.ts";
import { fallbackLanguage, isLanguage } from "../i18n/languages.ts";

type Parts = {
  consent: ConsentActor;
  tracker: Tracker;
  translator: i18n;
  signal: PrivacySignal | undefined;
};

/** Lets analytics follow consent: the preferences found at the start, and every change after it. */
export function connectAnalytics({ consent, tracker, translator, signal }: Parts): void {
  consent.on("preferences.loaded", ({ preferences }) => {
    const allowed = allowsAnalytics(preferences);
    // The first load starts the session. A later one comes from another tab: a refusal there holds
    // here at once, while a grant waits for the next page, because this visit has its own ids.
    if (tracker.consented && !allowed) {
      tracker.decide({ granted: false, method: "customise", notice: Promise.resolve(undefined) });
    }
    tracker.start({ granted: allowed, signal });
  });
  consent.on("preferences.changed", ({ preferences, method, surface }) => {
    const language = isLanguage(translator.language) ? translator.language : fallbackLanguage;
    const notice = noticeShown(surface, language, translator.getFixedT(language, "consent"));
    tracker.decide({ granted: allowsAnalytics(preferences), method, notice });
  });
}
