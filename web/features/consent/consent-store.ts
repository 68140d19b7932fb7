import { useSyncExternalStore } from "react";
import type { ActorRefFrom } from "xstate";

import type { BrowserStorage } from "../../analytics/identity-store.ts";
import type { PrivacySignal } from "../../analytics/privacy-signal.ts";
import type { ConsentStatus } from "../../analytics/visit-session.ts";
import {
  type ConsentChoice,
  type ConsentEvent,
  type ConsentState,
  consentStatus,
  type ConsentTerms,
  currentTerms,
  validChoice,
} from "./consent-choice.ts";
import {
  clearChoice,
  givenKey,
  loadChoice,
  preferencesKey,
  saveChoice,
} from "./consent-storage.ts";
import type { consentMachine } from "./consent.machine.ts";
import { answerEvent, bannerMark, isAnswer } from "./early-banner.ts";

/** Any page may dispatch this window event to open the settings (specification §2). */
export const openSettingsEvent = "openCookieSettings";

export type ConsentActor = ActorRefFrom<typeof consentMachine>;

const nothingShown: ConsentState = {
  choice: undefined,
  asking: false,
  settings: false,
  decision: undefined,
};

/**
 * The consent of this browser: the stored choice at once; its machine, which is loaded when there is
 * something to decide; and those who follow it. A choice applies even if it cannot be stored; then the
 * next page asks again.
 */
export class ConsentStore {
  readonly #terms: ConsentTerms;
  readonly #storage: () => BrowserStorage;
  readonly #listeners = new Set<() => void>();
  #state: ConsentState;
  #actor: Promise<ConsentActor> | undefined;

  /** Reads the stored choice. `storage` throws where storage is blocked. */
  constructor(terms: ConsentTerms, storage: () => BrowserStorage) {
    this.#terms = terms;
    this.#storage = storage;
    this.#state = this.#stored();
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

  /**
   * Resolves when the machine has taken the event. If it cannot be loaded, nothing is decided, and
   * the next event tries again.
   */
  async send(event: ConsentEvent): Promise<void> {
    const actor = await this.actor().catch(() => undefined);
    actor?.send(event);
  }

  /** Reads storage again, after a change in another tab or while the page was in the cache. */
  async refresh(): Promise<void> {
    if (this.#actor === undefined) this.#show(this.#stored());
    else await this.send({ type: "storage.read", choice: this.#read() });
  }

  /** The machine, loaded and started once. @throws when its code cannot be loaded */
  actor(): Promise<ConsentActor> {
    this.#actor ??= this.#start().catch((error: unknown) => {
      this.#actor = undefined;
      throw error;
    });
    return this.#actor;
  }

  async #start(): Promise<ConsentActor> {
    const [{ consentMachine: machine, consentState }, { createActor }] = await Promise.all([
      import("./consent.machine.ts"),
      import("xstate"),
    ]);
    const { choice: first } = this.#state;
    const actor = createActor(machine, { input: { terms: this.#terms, choice: first } });
    // Not when it starts, and not what another tab has stored: it is stored already.
    let stored = actor.getSnapshot().context.choice;
    actor.on("stored", ({ choice }) => (stored = choice));
    actor.subscribe((snapshot) => {
      const { choice } = snapshot.context;
      if (choice !== stored) this.#write(choice);
      stored = choice;
      this.#show(consentState(snapshot));
    });
    return actor.start();
  }

  #show(state: ConsentState): void {
    const before = this.#state;
    this.#state = state;
    const changed =
      state.choice !== before.choice ||
      state.asking !== before.asking ||
      state.settings !== before.settings ||
      state.decision !== before.decision;
    if (changed) for (const listener of this.#listeners) listener();
  }

  #stored(): ConsentState {
    const choice = validChoice(this.#read(), this.#terms);
    return { ...nothingShown, choice, asking: consentStatus(choice, this.#terms) === "undecided" };
  }

  #read(): ConsentChoice | undefined {
    try {
      return loadChoice(this.#storage());
    } catch {
      // Blocked, or another value: only the essential is allowed.
      return undefined;
    }
  }

  #write(choice: ConsentChoice | undefined): void {
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
const onServer = (): ConsentState => nothingShown;

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
  const takeAnswer = async (): Promise<void> => {
    const { consent: answer } = document.documentElement.dataset;
    // The head script has hidden the banner; if leaving comes first, it stores the answer.
    if (isAnswer(answer)) await consent.send({ type: answer });
    showBanner(consent.state().asking);
  };
  document.addEventListener(answerEvent, () => void takeAnswer());
  void takeAnswer();
  const openSettings = (): void => void consent.send({ type: "settings.requested" });
  window.addEventListener(openSettingsEvent, openSettings);
  window.addEventListener("storage", ({ key }) => {
    if (key === null || key === preferencesKey || key === givenKey) void consent.refresh();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void consent.refresh();
  });
}
