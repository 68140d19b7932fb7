import { consentNoticeVersion, consentReaskMonths } from "@pro-talent/schemas/consent/notice";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";

import type { ConsentChoice } from "./consent-choice.ts";
import {
  clearChoice,
  givenKey,
  loadChoice,
  preferencesKey,
  saveChoice,
} from "./consent-storage.ts";
import { choiceOf, consentMachine, type ConsentSignal } from "./consent.machine.ts";

export type ConsentActor = ActorRefFrom<typeof consentMachine>;

/** Any page may raise this window event to open the settings (specification §2). */
export const openSettingsEvent = "openCookieSettings";

/** The consent of this browser, not started yet: `start()` and `connectConsent` belong to the page. */
export function createConsentActor(signal: ConsentSignal | undefined): ConsentActor {
  const onThisBrowser = consentMachine.provide({
    actors: {
      load: fromPromise(async () => loadChoice(localStorage)),
      save: fromPromise<undefined, ConsentChoice>(async ({ input }) => {
        saveChoice(localStorage, input);
        return undefined;
      }),
      clear: fromPromise<undefined>(async () => {
        clearChoice(localStorage);
        return undefined;
      }),
    },
  });
  const rule = { noticeVersion: consentNoticeVersion, months: consentReaskMonths };
  return createActor(onThisBrowser, { input: { signal, rule, now: () => Date.now() } });
}

/** Lets the window and other tabs speak to the consent; a receipt that arrives is kept with it. */
export function connectConsent(actor: ConsentActor): void {
  window.addEventListener(openSettingsEvent, () => actor.send({ type: "settings.requested" }));
  window.addEventListener("storage", (event) => {
    if (event.key === null || event.key === preferencesKey || event.key === givenKey) {
      actor.send({ type: "storage.changed" });
    }
  });
}

/** Takes the receipt of a decision that the ledger recorded. */
export function keepReceipt(actor: ConsentActor, receiptId: string): void {
  actor.send({ type: "receipt.arrived", receiptId });
  const { context } = actor.getSnapshot();
  if (!context.given) return;
  try {
    saveChoice(localStorage, choiceOf(context));
  } catch {
    // The receipt is shown as long as the page lives; the ledger holds the fact itself.
  }
}
