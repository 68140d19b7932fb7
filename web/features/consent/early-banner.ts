import type { BrowserStorage } from "../../analytics/identity-store.ts";
import { choose, type ConsentTerms, consentStatus, validChoice } from "./consent-choice.ts";
import { loadChoice, saveChoice } from "./consent-storage.ts";

/** Value of `data-consent` on the root while the prerendered banner is on screen. */
export const bannerMark = "ask";
/** Dispatched on the document when the banner is answered; the root holds the answer. */
export const answerEvent = "consent-answered";

export type BannerAnswer = "accept.all" | "reject.all";
export const isAnswer = (text: string | undefined): text is BannerAnswer =>
  text === "accept.all" || text === "reject.all";

function mustAsk(terms: ConsentTerms, storage: () => BrowserStorage): boolean {
  try {
    return consentStatus(validChoice(loadChoice(storage()), terms), terms) === "undecided";
  } catch {
    // Blocked, or another value is stored.
    return consentStatus(undefined, terms) === "undecided";
  }
}

/**
 * Runs in the head: shows the prerendered banner with the first paint, and hides it at the press of
 * a button with `data-consent-answer`, whether or not the application has started. The application
 * takes the answer from the root; if the visitor leaves before, it is stored here.
 */
export function askEarly(terms: ConsentTerms, storage: () => BrowserStorage): void {
  const { dataset } = document.documentElement;
  if (mustAsk(terms, storage)) dataset["consent"] = bannerMark;
  document.addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest("[data-consent-answer]") : null;
      if (button === null || dataset["consent"] !== bannerMark) return;
      dataset["consent"] = button.getAttribute("data-consent-answer") ?? bannerMark;
      document.dispatchEvent(new Event(answerEvent));
    },
    { capture: true },
  );
  window.addEventListener("pagehide", () => {
    const answer = dataset["consent"];
    if (!isAnswer(answer)) return;
    try {
      saveChoice(storage(), choose(answer === "accept.all", terms));
    } catch {
      // Storage is blocked: the next page asks again.
    }
  });
}
