import { useSyncExternalStore } from "react";

import type { BrowserStorage } from "../../analytics/identity-store.ts";
import type { PrivacySignal } from "../../analytics/privacy-signal.ts";
import type { ConsentStatus } from "../../analytics/visit-session.ts";
import { consentStatus, type ConsentTerms, currentTerms } from "./consent-choice.ts";
import {
  clearChoice,
  givenKey,
  loadChoice,
  preferencesKey,
  saveChoice,
} from "./consent-storage.ts";
import {
  type ConsentEvent,
  type ConsentState,
  initialConsent,
  nextConsent,
} from "./consent.machine.ts";
import { answerEvent, bannerMark, isAnswer } from "./early-banner.ts";

/** Any page may dispatch this window event to open the settings (specification §2). */
export const openSettingsEvent = "openCookieSettings";

/**
 * The consent of this browser: the state, its copy in storage, and those who follow it. A choice
 * applies even if it cannot be stored; then the next page asks again.
 */
export class ConsentStore {
  readonly #terms: ConsentTerms;
  readonly #storage: () => BrowserStorage;
  readonly #listeners = new Set<() => void>();
  #state: ConsentState;

  /** Reads the stored choice. `storage` throws where storage is blocked. */
  constructor(terms: ConsentTerms, storage: () => BrowserStorage) {
    this.#terms = terms;
    this.#storage = storage;
    this.#state = nextConsent(initialConsent, this.#read(), terms);
  }

  readonly state = (): ConsentState => this.#state;

  get signal(): PrivacySignal | undefined {
    return this.#terms.signal;
  }

  get status(): ConsentStatus {
    return consentStatus(this.#state.choice, this.#terms);
  }

  /** Calls back after every change. Returns the function that removes the listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  send(event: ConsentEvent): void {
    const before = this.#state;
    this.#state = nextConsent(before, event, this.#terms);
    if (this.#state === before) return;
    if (event.type !== "storage.read" && this.#state.choice !== before.choice) this.#write();
    for (const listener of this.#listeners) listener();
  }

  /** Reads storage again, after a change in another tab or while the page was in the cache. */
  refresh(): void {
    this.send(this.#read());
  }

  #read(): ConsentEvent {
    try {
      return { type: "storage.read", choice: loadChoice(this.#storage()) };
    } catch {
      // Blocked, or another value: only the essential is allowed.
      return { type: "storage.read", choice: undefined };
    }
  }

  #write(): void {
    const { choice } = this.#state;
    try {
      if (choice === undefined) clearChoice(this.#storage());
      else saveChoice(this.#storage(), choice);
    } catch {
      // Blocked or full: the choice applies until the page closes.
    }
  }
}

/** Consent in local storage. */
export function createConsentStore(signal: PrivacySignal | undefined): ConsentStore {
  return new ConsentStore(currentTerms(signal), () => localStorage);
}

/** The server cannot know a stored choice. */
const onServer = (): ConsentState => initialConsent;

export const useConsent = (consent: ConsentStore): ConsentState =>
  useSyncExternalStore(consent.subscribe, consent.state, onServer);

/** Shows or hides the banner. When it hides under the focus, the focus returns to the page. */
function showBanner(asking: boolean): void {
  const { dataset } = document.documentElement;
  if (asking) {
    dataset["consent"] = bannerMark;
    return;
  }
  const focused = document.activeElement?.closest(".consent-banner") ?? null;
  delete dataset["consent"];
  if (focused !== null) document.getElementById("main")?.focus({ preventScroll: true });
}

/** Connects banner, window events, other tabs and the browser's cache to the consent. */
export function connectConsent(consent: ConsentStore): void {
  consent.subscribe(() => showBanner(consent.state().asking));
  const takeAnswer = (): void => {
    const { consent: answer } = document.documentElement.dataset;
    if (isAnswer(answer)) consent.send({ type: answer });
    showBanner(consent.state().asking);
  };
  document.addEventListener(answerEvent, takeAnswer);
  takeAnswer();
  window.addEventListener(openSettingsEvent, () => consent.send({ type: "settings.requested" }));
  window.addEventListener("storage", ({ key }) => {
    if (key === null || key === preferencesKey || key === givenKey) consent.refresh();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) consent.refresh();
  });
}
