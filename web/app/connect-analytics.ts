import type { i18n } from "i18next";

import type { Tracker } from "../analytics/tracker.ts";
import type { ConsentStore } from "../features/consent/consent-store.ts";
import { noticeShown } from "../features/consent/notice-text.ts";
import { fallbackLanguage, isLanguage } from "../i18n/languages.ts";

type Parts = { consent: ConsentStore; tracker: Tracker; translator: i18n };

/** Passes consent to analytics: the stored choice at the start, then every change. */
export function connectAnalytics({ consent, tracker, translator }: Parts): void {
  tracker.start({ consent: consent.status, signal: consent.signal });
  let known = consent.state().decision;
  consent.subscribe(() => {
    const { decision } = consent.state();
    if (decision === undefined || decision === known) {
      // Nothing was decided here: the change came from another tab.
      tracker.follow(consent.status);
      return;
    }
    known = decision;
    const language = isLanguage(translator.language) ? translator.language : fallbackLanguage;
    const texts = translator.getFixedT(language, ["consent", "consent-settings"] as const);
    tracker.decide({
      consent: consent.status,
      method: decision.method,
      notice: noticeShown(decision.surface, language, texts),
    });
  });
}
