import { consentNoticeVersion, consentReaskMonths } from "@pro-talent/schemas/consent/notice";

import { answered, consentFound, type FoundConsent } from "./consent-choice.ts";
import type { ConsentProcess } from "./consent-process.ts";
import {
  givenKey,
  keepReceiptWith,
  loadChoice,
  preferencesKey,
  saveChoice,
  type Shelf,
} from "./consent-storage.ts";
import type {
  ConsentEmitted,
  ConsentEvent,
  ConsentInput,
  ConsentSignal,
} from "./consent.machine.ts";

/** Any page may raise this window event to open the settings (specification §2). */
export const openSettingsEvent = "openCookieSettings";

/** What of consent is on screen. */
export type ConsentView = {
  asking: boolean;
  /** The process that the open settings speak to. */
  settings: ConsentProcess | undefined;
};

export const nothingShown: ConsentView = { asking: false, settings: undefined };

/**
 * The consent of this browser as a page speaks to it. What was chosen before is read at once. The
 * state machine comes only when there is something to decide, and what was sent waits for it.
 */
export class ConsentActor {
  readonly #input: ConsentInput;
  readonly #shelf: () => Shelf;
  readonly #viewers = new Set<() => void>();
  readonly #hearers = new Set<(event: ConsentEmitted) => void>();
  #view = nothingShown;
  #process: Promise<ConsentProcess> | undefined;
  /** What the visitor pressed while the machine was still on its way. */
  #waiting: ConsentEvent | undefined;

  /** `shelf` throws where storage is blocked. */
  constructor(input: ConsentInput, shelf: () => Shelf) {
    this.#input = input;
    this.#shelf = shelf;
  }

  /** Tells listeners what was chosen before, and asks if nothing was. */
  start(): void {
    const { preferences, given } = this.#read();
    this.#show({ asking: !given && this.#input.signal === undefined, settings: undefined });
    this.#tell({ type: "preferences.loaded", preferences });
  }

  /** Follows a choice that was made elsewhere: in another tab, or while this page was put aside. */
  refresh(): void {
    if (this.#process === undefined) this.start();
    else this.send({ type: "storage.changed" });
  }

  /** Fetches the machine for a visitor who is about to decide. */
  prepare(): void {
    this.#ready().catch(() => undefined);
  }

  /** If the machine cannot be fetched, nothing is decided, and the next event tries again. */
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

  /** The page goes away: an answer that still waits for the machine is kept for the next page. */
  leave(): void {
    const type = this.#waiting?.type;
    if (type !== "accept.all" && type !== "reject.all") return;
    try {
      saveChoice(this.#shelf(), answered(type === "accept.all", this.#input));
    } catch {
      // Blocked storage: the next page asks again.
    }
  }

  /** Keeps the receipt of a decision that the ledger recorded. */
  keepReceipt(receiptId: string): void {
    if (this.#process !== undefined) this.send({ type: "receipt.arrived", receiptId });
    try {
      keepReceiptWith(this.#shelf(), receiptId);
    } catch {
      // The receipt is shown as long as the page lives; the ledger holds the fact itself.
    }
  }

  /** Returns what ends the listening. */
  listen(hear: (event: ConsentEmitted) => void): () => void {
    this.#hearers.add(hear);
    return () => this.#hearers.delete(hear);
  }

  readonly view = (): ConsentView => this.#view;

  readonly subscribe = (viewer: () => void): (() => void) => {
    this.#viewers.add(viewer);
    return () => this.#viewers.delete(viewer);
  };

  #read(): FoundConsent {
    try {
      return consentFound(loadChoice(this.#shelf()), this.#input);
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
      const tell = (event: ConsentEmitted): void => this.#tell(event);
      const process = await startConsentProcess(this.#input, this.#shelf, tell);
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

  #tell(event: ConsentEmitted): void {
    for (const hear of this.#hearers) hear(event);
  }
}

/** The consent that this browser's storage keeps, not started yet. */
export function createConsentActor(signal: ConsentSignal | undefined): ConsentActor {
  const rule = { noticeVersion: consentNoticeVersion, months: consentReaskMonths };
  return new ConsentActor({ signal, rule, now: () => Date.now() }, () => localStorage);
}

/** Lets the window, other tabs and the browser's cache of pages speak to the consent. */
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
