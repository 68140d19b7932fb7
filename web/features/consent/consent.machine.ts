import { assign, emit, setup, type SnapshotFrom } from "xstate";

import {
  type ChoiceMethod,
  choose,
  type ConsentChoice,
  type ConsentEvent,
  type ConsentState,
  consentStatus,
  type ConsentSurface,
  type ConsentTerms,
  validChoice,
} from "./consent-choice.ts";

/** What every decision is sent with. */
export { noticeShown } from "./notice-text.ts";

type ConsentContext = Pick<ConsentState, "choice" | "decision"> & {
  terms: ConsentTerms;
  /** The banner is on screen under the settings. */
  bannerBelow: boolean;
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: ConsentContext;
    events: ConsentEvent;
    /** The choice is the stored one. */
    emitted: { type: "stored"; choice: ConsentChoice | undefined };
    input: { terms: ConsentTerms; choice: ConsentChoice | undefined };
  },
  guards: {
    mustAsk: ({ context: { choice, terms } }) => consentStatus(choice, terms) === "undecided",
    hasChoice: ({ context }) => context.choice !== undefined,
    isBannerBelow: ({ context }) => context.bannerBelow,
  },
  actions: {
    decide: assign(
      (
        { context: { terms } },
        made: { analytics: boolean; method: ChoiceMethod; surface: ConsentSurface },
      ) => ({
        choice: choose(made.analytics, terms),
        decision: { method: terms.signal ?? made.method, surface: made.surface },
      }),
    ),
    forget: assign({ choice: undefined, decision: { method: "reset", surface: "settings" } }),
    takeStored: assign(({ context: { terms } }, stored: ConsentChoice | undefined) => ({
      choice: validChoice(stored, terms),
    })),
    reportStored: emit(({ context: { choice } }) => ({ type: "stored", choice })),
    keepReceipt: assign(({ context: { choice } }, receiptId: string) => ({
      choice: choice && { ...choice, receiptId },
    })),
    keepBanner: assign(({ context: { choice, terms } }) => ({
      bannerBelow: consentStatus(choice, terms) === "undecided",
    })),
    dropBanner: assign({ bannerBelow: false }),
  },
});

const decisionsOn = (surface: ConsentSurface) =>
  ({
    "accept.all": {
      target: "closed",
      actions: { type: "decide", params: { analytics: true, method: "accept_all", surface } },
    },
    "reject.all": {
      target: "closed",
      actions: { type: "decide", params: { analytics: false, method: "reject_all", surface } },
    },
  }) as const;

/**
 * Cookie consent (specification §4), without React and storage. It is loaded when there is something
 * to decide; until then the stored choice is all that counts, see consent-store.ts.
 */
export const consentMachine = machine.createMachine({
  id: "consent",
  context: ({ input: { terms, choice } }) => ({
    terms,
    choice: validChoice(choice, terms),
    decision: undefined,
    bannerBelow: false,
  }),
  initial: "opening",
  on: {
    "storage.read": {
      target: ".opening",
      actions: [{ type: "takeStored", params: ({ event }) => event.choice }, "reportStored"],
    },
    "receipt.arrived": {
      guard: "hasChoice",
      actions: { type: "keepReceipt", params: ({ event }) => event.receiptId },
    },
  },
  states: {
    opening: { always: [{ guard: "mustAsk", target: "banner" }, { target: "closed" }] },
    closed: { entry: "dropBanner", on: { "settings.requested": "settings" } },
    banner: {
      entry: "keepBanner",
      on: {
        ...decisionsOn("banner"),
        "settings.requested": "settings",
        "backdrop.clicked": "closed",
      },
    },
    settings: {
      on: {
        ...decisionsOn("settings"),
        save: {
          target: "closed",
          actions: {
            type: "decide",
            params: ({ event }) => ({
              analytics: event.analytics,
              method: "customise",
              surface: "settings",
            }),
          },
        },
        reset: { guard: "hasChoice", target: "opening", actions: "forget" },
        "settings.dismissed": [{ guard: "isBannerBelow", target: "banner" }, { target: "closed" }],
        "backdrop.clicked": "closed",
        // The settings stay open.
        "storage.read": {
          actions: [
            { type: "takeStored", params: ({ event }) => event.choice },
            "keepBanner",
            "reportStored",
          ],
        },
      },
    },
  },
});

/** What is shown and decided. */
export function consentState(snapshot: SnapshotFrom<typeof consentMachine>): ConsentState {
  const { choice, decision, bannerBelow } = snapshot.context;
  const settings = snapshot.matches("settings");
  return {
    choice,
    decision,
    settings,
    asking: snapshot.matches("banner") || (settings && bannerBelow),
  };
}
