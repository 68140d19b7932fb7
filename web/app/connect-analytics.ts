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

/** Passes consent to analytics: the stored preferences at the start, then every change. */
export function connectAnalytics({ consent, tracker, translator, signal }: Parts): void {
  consent.listen((event) => {
    const granted = allowsAnalytics(event.preferences);
    if (event.type === "preferences.changed") {
      const language = isLanguage(translator.language) ? translator.language : fallbackLanguage;
      const texts = translator.getFixedT(language, "consent");
      tracker.decide({
        granted,
        method: event.method,
        notice: noticeShown(event.surface, language, texts),
      });
      return;
    }
    // The first load starts the session. A later one comes from another tab: a refusal applies here
    // at once; a grant waits for the next page, because this visit has its own ids.
    if (tracker.consented && !granted) {
      tracker.decide({ granted: false, method: "customise", notice: Promise.resolve(undefined) });
    }
    tracker.start({ granted, signal });
  });
}
