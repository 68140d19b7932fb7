import {
  type ChoiceMethod,
  choose,
  type ConsentChoice,
  consentStatus,
  type ConsentTerms,
  validChoice,
} from "./consent-choice.ts";

/** Where a decision was made; each surface has its own text. */
export type ConsentSurface = "banner" | "settings";

export type ConsentState = {
  /** The valid choice of this browser. */
  choice: ConsentChoice | undefined;
  /** The banner is on screen, perhaps under the settings. */
  asking: boolean;
  /** The settings are open. */
  settings: boolean;
  /** The last decision that was made on this page. */
  decision: { method: ChoiceMethod; surface: ConsentSurface } | undefined;
};

export const initialConsent: ConsentState = {
  choice: undefined,
  asking: false,
  settings: false,
  decision: undefined,
};

export type ConsentEvent =
  | { type: "storage.read"; choice: ConsentChoice | undefined }
  | { type: "accept.all" }
  | { type: "reject.all" }
  | { type: "save"; analytics: boolean }
  | { type: "reset" }
  | { type: "settings.requested" }
  | { type: "settings.dismissed" }
  | { type: "backdrop.clicked" }
  | { type: "receipt.arrived"; receiptId: string };

function decided(
  state: ConsentState,
  { analytics, method }: { analytics: boolean; method: ChoiceMethod },
  terms: ConsentTerms,
): ConsentState {
  if (!state.asking && !state.settings) return state;
  const surface = state.settings ? "settings" : "banner";
  return {
    choice: choose(analytics, terms),
    asking: false,
    settings: false,
    decision: { method: terms.signal ?? method, surface },
  };
}

/**
 * Cookie consent (specification §4) as one pure function. Every step is synchronous, so it needs no
 * library, and it is small enough to be part of the first load: nothing repeats it. Events that do
 * not apply return the same state.
 */
export function nextConsent(
  state: ConsentState,
  event: ConsentEvent,
  terms: ConsentTerms,
): ConsentState {
  switch (event.type) {
    case "storage.read": {
      const choice = validChoice(event.choice, terms);
      return { ...state, choice, asking: consentStatus(choice, terms) === "undecided" };
    }
    case "accept.all":
      return decided(state, { analytics: true, method: "accept_all" }, terms);
    case "reject.all":
      return decided(state, { analytics: false, method: "reject_all" }, terms);
    case "save":
      return decided(state, { analytics: event.analytics, method: "customise" }, terms);
    case "reset":
      if (state.choice === undefined) return state;
      return {
        choice: undefined,
        asking: terms.signal === undefined,
        settings: false,
        decision: { method: "reset", surface: "settings" },
      };
    case "settings.requested":
      return { ...state, settings: true };
    case "settings.dismissed":
      return { ...state, settings: false };
    case "backdrop.clicked":
      return { ...state, asking: false, settings: false };
    case "receipt.arrived": {
      const { choice } = state;
      if (choice === undefined) return state;
      return { ...state, choice: { ...choice, receiptId: event.receiptId } };
    }
  }
}
