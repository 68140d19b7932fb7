import type { i18n } from "i18next";

import type { Tracker } from "../analytics/tracker.ts";
import type { ConsentStore } from "../features/consent/consent-store.ts";

type Parts = { consent: ConsentStore; tracker: Tracker; translator: i18n };

/** Passes consent to analytics: the stored choice at the start, then every change. */
export function connectAnalytics({ consent, tracker, translator }: Parts): void {
  tracker.start({ consent: consent.status, signal: consent.signal });
  measureWithConsent(tracker);
  let known = consent.state().decision;
  consent.subscribe(() => {
    const { decision } = consent.state();
    if (decision === undefined || decision === known) {
      // Nothing was decided here: the change came from another tab.
      tracker.follow(consent.status);
    } else {
      known = decision;
      tracker.decide({
        consent: consent.status,
        method: decision.method,
        // The machine, which has made the decision, is loaded; what it needs once is loaded with it.
        notice: import("../features/consent/consent.machine.ts").then(({ noticeShown }) =>
          noticeShown(decision.surface, translator),
        ),
      });
    }
    measureWithConsent(tracker);
  });
}

/** Without consent nothing is measured, and the code that does it is not loaded. */
function measureWithConsent(tracker: Tracker): void {
  if (!tracker.consented || tracker.extension) return;
  const since = performance.now();
  const load = (): void =>
    void import("../analytics/measurement/measure.ts").then(
      ({ measure }) => measure(tracker, since),
      () => undefined,
    );
  if ("requestIdleCallback" in window) requestIdleCallback(load);
  else setTimeout(load);
}
