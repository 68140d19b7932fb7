import { assign, emit, fromPromise, setup } from "xstate";

import {
  type ChoiceMethod,
  type ConsentChoice,
  consentFound,
  type ConsentPreferences,
  essentialOnly,
  type ReaskRule,
} from "./consent-choice.ts";

export type ConsentSignal = "dnt" | "gpc";
/** Where a decision was made; each surface has its own text. */
export type ConsentSurface = "banner" | "settings";

export type ConsentInput = {
  /** A browser signal that overrides every choice on this page. */
  signal: ConsentSignal | undefined;
  rule: ReaskRule;
  now: () => number;
};

export type ConsentContext = ConsentInput & {
  preferences: ConsentPreferences;
  /** There is a valid choice. */
  given: boolean;
  /** The banner is on screen. */
  asking: boolean;
  /** The analytics switch of the settings, before saving. */
  draft: boolean;
  method: ChoiceMethod;
  surface: ConsentSurface;
  decidedAt: string | undefined;
  receiptId: string | undefined;
};

export type ConsentEvent =
  | { type: "accept.all" }
  | { type: "reject.all" }
  | { type: "customise" }
  | { type: "settings.requested" }
  | { type: "settings.dismissed" }
  | { type: "backdrop.clicked" }
  | { type: "analytics.toggled" }
  | { type: "save" }
  | { type: "reset" }
  | { type: "storage.changed" }
  | { type: "receipt.arrived"; receiptId: string };

/** The stored preferences at the start, and every change after it. */
export type ConsentEmitted =
  | { type: "preferences.loaded"; preferences: ConsentPreferences }
  | {
      type: "preferences.changed";
      preferences: ConsentPreferences;
      method: ChoiceMethod;
      surface: ConsentSurface;
    };

export function choiceOf(context: ConsentContext): ConsentChoice {
  return {
    preferences: context.preferences,
    noticeVersion: context.rule.noticeVersion,
    ...(context.decidedAt === undefined ? {} : { decidedAt: context.decidedAt }),
    ...(context.receiptId === undefined ? {} : { receiptId: context.receiptId }),
  };
}

function found(
  context: ConsentContext,
  choice: ConsentChoice | undefined,
): Partial<ConsentContext> {
  const { preferences, given } = consentFound(choice, context);
  return {
    preferences,
    given,
    draft: preferences.analytics,
    decidedAt: choice?.decidedAt,
    receiptId: choice?.receiptId,
  };
}

function decided(
  context: ConsentContext,
  chosen: { analytics: boolean; method: ChoiceMethod; surface: ConsentSurface },
): Partial<ConsentContext> {
  const doNotTrack = context.signal !== undefined;
  const analytics = chosen.analytics && !doNotTrack;
  return {
    preferences: { essential: true, analytics, doNotTrack },
    draft: analytics,
    method: context.signal ?? chosen.method,
    surface: chosen.surface,
    decidedAt: new Date(context.now()).toISOString(),
    receiptId: undefined,
  };
}

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: ConsentContext;
    events: ConsentEvent;
    input: ConsentInput;
    emitted: ConsentEmitted;
  },
  actors: {
    load: fromPromise<ConsentChoice | undefined>(() => Promise.resolve(undefined)),
    save: fromPromise<undefined, ConsentChoice>(() => Promise.resolve(undefined)),
    clear: fromPromise<undefined>(() => Promise.resolve(undefined)),
  },
  guards: {
    mustAsk: ({ context }) => !context.given && context.signal === undefined,
    isAsking: ({ context }) => context.asking,
    isFree: ({ context }) => context.signal === undefined,
  },
  actions: {
    fallBackToEssential: assign(({ context }) => found(context, undefined)),
    acceptAll: assign(({ context }, surface: ConsentSurface) =>
      decided(context, { analytics: true, method: "accept_all", surface }),
    ),
    rejectAll: assign(({ context }, surface: ConsentSurface) =>
      decided(context, { analytics: false, method: "reject_all", surface }),
    ),
    takeDraft: assign(({ context }) =>
      decided(context, { analytics: context.draft, method: "customise", surface: "settings" }),
    ),
    toggleDraft: assign({ draft: ({ context }) => !context.draft }),
    resetDraft: assign({ draft: ({ context }) => context.preferences.analytics }),
    ask: assign({ asking: true }),
    stopAsking: assign({ asking: false }),
    markGiven: assign({ given: true, asking: false }),
    keepReceipt: assign({ receiptId: (_, receiptId: string) => receiptId }),
    forgetDecision: assign({ decidedAt: undefined, receiptId: undefined, given: false }),
    announceLoaded: emit(({ context }) => ({
      type: "preferences.loaded",
      preferences: context.preferences,
    })),
    announceChange: emit(({ context }) => ({
      type: "preferences.changed",
      preferences: context.preferences,
      method: context.method,
      surface: context.surface,
    })),
  },
});

/**
 * Cookie consent (specification §4), without React and storage: `provide` supplies the actors
 * `load`, `save` and `clear`. A choice applies even if it cannot be saved; then the next page asks
 * again.
 */
export const consentMachine = machine.createMachine({
  id: "consent",
  initial: "loading",
  context: ({ input }) => ({
    ...input,
    preferences: { ...essentialOnly, doNotTrack: input.signal !== undefined },
    given: false,
    asking: false,
    draft: false,
    method: "reject_all",
    surface: "banner",
    decidedAt: undefined,
    receiptId: undefined,
  }),
  on: {
    "receipt.arrived": { actions: { type: "keepReceipt", params: ({ event }) => event.receiptId } },
  },
  states: {
    loading: {
      invoke: {
        id: "load",
        src: "load",
        onDone: {
          target: "resting",
          actions: [assign(({ context, event }) => found(context, event.output)), "announceLoaded"],
        },
        onError: { target: "resting", actions: ["fallBackToEssential", "announceLoaded"] },
      },
    },
    resting: {
      always: [{ guard: "mustAsk", target: "banner" }, { target: "closed" }],
    },
    banner: {
      entry: "ask",
      on: {
        "accept.all": { target: "saving", actions: { type: "acceptAll", params: "banner" } },
        "reject.all": { target: "saving", actions: { type: "rejectAll", params: "banner" } },
        customise: "settings",
        "settings.requested": "settings",
        "backdrop.clicked": "closed",
        "storage.changed": "loading",
      },
    },
    settings: {
      entry: "resetDraft",
      on: {
        "analytics.toggled": { guard: "isFree", actions: "toggleDraft" },
        save: { target: "saving", actions: "takeDraft" },
        "accept.all": {
          guard: "isFree",
          target: "saving",
          actions: { type: "acceptAll", params: "settings" },
        },
        "reject.all": { target: "saving", actions: { type: "rejectAll", params: "settings" } },
        "settings.dismissed": [{ guard: "isAsking", target: "banner" }, { target: "closed" }],
        "backdrop.clicked": "closed",
        reset: "resetting",
      },
    },
    saving: {
      invoke: {
        id: "save",
        src: "save",
        input: ({ context }) => choiceOf(context),
        onDone: { target: "closed", actions: ["markGiven", "announceChange"] },
        onError: { target: "closed", actions: ["markGiven", "announceChange"] },
      },
    },
    resetting: {
      entry: [{ type: "rejectAll", params: "settings" }, "forgetDecision", "announceChange"],
      invoke: { id: "clear", src: "clear", onDone: "loading", onError: "loading" },
    },
    closed: {
      entry: "stopAsking",
      on: { "settings.requested": "settings", "storage.changed": "loading" },
    },
  },
});
