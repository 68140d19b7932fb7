import { consentNoticeVersion, consentReaskMonths } from "@pro-talent/schemas/consent/notice";

import type { BrowserStorage } from "../../analytics/identity-store.ts";
import { answered, consentFound, type FoundConsent } from "./consent-choice.ts";
import type { ConsentProcess } from "./consent-process.ts";
import {
  givenKey,
  keepReceiptWith,
  loadChoice,
  preferencesKey,
  saveChoice,
} from "./consent-storage.ts";
import type {
  ConsentEmitted,
  ConsentEvent,
  ConsentInput,
  ConsentSignal,
} from "./consent.machine.ts";

/** Any page may dispatch this window event to open the settings (specification §2). */
export const openSettingsEvent = "openCookieSettings";

/** The parts of consent on screen. */
export type ConsentView = {
  asking: boolean;
  /** The machine behind the open settings. */
  settings: ConsentProcess | undefined;
};

export const nothingShown: ConsentView = { asking: false, settings: undefined };

/**
 * The consent of this browser. The stored choice is read at once; the state machine is loaded when
 * there is something to decide, and events wait for it.
 */
export class ConsentActor {
  readonly #input: ConsentInput;
  readonly #storage: () => BrowserStorage;
  readonly #viewers = new Set<() => void>();
  readonly #listeners = new Set<(event: ConsentEmitted) => void>();
  #view = nothingShown;
  #process: Promise<ConsentProcess> | undefined;
  /** The last event while the machine loads. */
  #waiting: ConsentEvent | undefined;

  /** `storage` throws where storage is blocked. */
  constructor(input: ConsentInput, storage: () => BrowserStorage) {
    this.#input = input;
    this.#storage = storage;
  }

  /** Reports the stored choice to listeners, or asks if there is none. */
  start(): void {
    const { preferences, given } = this.#read();
    this.#show({ asking: !given && this.#input.signal === undefined, settings: undefined });
    this.#notify({ type: "preferences.loaded", preferences });
  }

  /** Reads storage again, after a change in another tab or while the page was in the cache. */
  refresh(): void {
    if (this.#process === undefined) this.start();
    else this.send({ type: "storage.changed" });
  }

  /** Loads the machine before the visitor decides. */
  prepare(): void {
    this.#ready().catch(() => undefined);
  }

  /** If the machine cannot be loaded, nothing is decided, and the next event tries again. */
  send(event: ConsentEvent): void {
    this.#waiting = event;
    this.#ready().then(
      (process) => {
        if (this.#waiting === event) this.#waiting = undefined;
        process.send(event);
      },
      () => undefined,
    );
  }

  /** When the page closes: stores an answer that still waits for the machine. */
  leave(): void {
    const type = this.#waiting?.type;
    if (type !== "accept.all" && type !== "reject.all") return;
    try {
      saveChoice(this.#storage(), answered(type === "accept.all", this.#input));
    } catch {
      // Storage is blocked: the next page asks again.
    }
  }

  /** Stores the receipt of a recorded decision. */
  keepReceipt(receiptId: string): void {
    if (this.#process !== undefined) this.send({ type: "receipt.arrived", receiptId });
    try {
      keepReceiptWith(this.#storage(), receiptId);
    } catch {
      // The receipt is shown until the page closes; the ledger has the fact itself.
    }
  }

  /** Returns the function that removes the listener. */
  listen(hear: (event: ConsentEmitted) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  readonly view = (): ConsentView => this.#view;

  readonly subscribe = (viewer: () => void): (() => void) => {
    this.#viewers.add(viewer);
    return () => this.#viewers.delete(viewer);
  };

  #read(): FoundConsent {
    try {
      return consentFound(loadChoice(this.#storage()), this.#input);
    } catch {
      return consentFound(undefined, this.#input);
    }
  }

  #ready(): Promise<ConsentProcess> {
    this.#process ??= this.#begin();
    return this.#process;
  }

  async #begin(): Promise<ConsentProcess> {
    try {
      const { startConsentProcess } = await import("./consent-process.ts");
      const notify = (event: ConsentEmitted): void => this.#notify(event);
      const process = await startConsentProcess(this.#input, this.#storage, notify);
      process.subscribe(() => this.#follow(process));
      this.#follow(process);
      return process;
    } catch (error) {
      this.#process = undefined;
      throw error;
    }
  }

  #follow(process: ConsentProcess): void {
    const snapshot = process.getSnapshot();
    this.#show({
      asking: snapshot.context.asking && !snapshot.matches("saving"),
      settings: snapshot.matches("settings") ? process : undefined,
    });
  }

  #show(view: ConsentView): void {
    if (view.asking === this.#view.asking && view.settings === this.#view.settings) return;
    this.#view = view;
    for (const viewer of this.#viewers) viewer();
  }

  #notify(event: ConsentEmitted): void {
    for (const hear of this.#listeners) hear(event);
  }
}

/** Consent in local storage, not started. */
export function createConsentActor(signal: ConsentSignal | undefined): ConsentActor {
  const rule = { noticeVersion: consentNoticeVersion, months: consentReaskMonths };
  return new ConsentActor({ signal, rule, now: () => Date.now() }, () => localStorage);
}

/** Connects window events, other tabs and the browser's cache to the consent. */
export function connectConsent(actor: ConsentActor): void {
  window.addEventListener(openSettingsEvent, () => actor.send({ type: "settings.requested" }));
  window.addEventListener("storage", ({ key }) => {
    if (key === null || key === preferencesKey || key === givenKey) actor.refresh();
  });
  window.addEventListener("pagehide", () => actor.leave());
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) actor.refresh();
  });
}
