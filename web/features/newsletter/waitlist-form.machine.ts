import { assign, fromPromise, setup } from "xstate";

import {
  emptyEntry,
  type Entry,
  missingIn,
  type Outcome,
  type Shown,
  type SubscriptionEvent,
  type Trouble,
  troubleOf,
  type Wish,
} from "./subscription.ts";

type WaitlistContext = { entry: Entry; shown: Shown; trouble: Trouble | undefined };

/** How long the success banner stays (specification §9). */
export const bannerMs = 10_000;

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: WaitlistContext; events: SubscriptionEvent },
  actors: {
    subscribe: fromPromise<Outcome, Wish>(() => Promise.resolve({ kind: "subscribed" })),
  },
  delays: { bannerTime: bannerMs },
  guards: {
    isComplete: ({ context }) => missingIn(context.entry) === undefined,
    isSubscribed: (_, outcome: Outcome) => outcome.kind === "subscribed",
  },
  actions: {
    takeEntry: assign((_, entry: Entry) => ({ entry, trouble: undefined })),
    takeShown: assign((_, shown: Shown) => ({ shown, trouble: undefined })),
    sayMissing: assign(({ context }) => {
      const code = missingIn(context.entry);
      return { trouble: code === undefined ? undefined : { code } };
    }),
    sayOutcome: assign((_, outcome: Outcome) => ({ trouble: troubleOf(outcome) })),
    clearEntry: assign({ entry: emptyEntry }),
    sayNetwork: assign({ trouble: { code: "network" } }),
  },
});

/**
 * The waitlist form of the signup page (specification §4), free of React and of words: `provide`
 * brings the actor `subscribe`, which throws when nothing answers.
 */
export const waitlistMachine = machine.createMachine({
  id: "waitlist",
  initial: "idle",
  context: {
    entry: emptyEntry,
    shown: { language: "en", consentText: "" },
    trouble: undefined,
  },
  states: {
    idle: {
      on: {
        changed: { actions: { type: "takeEntry", params: ({ event }) => event.entry } },
        submit: [
          {
            guard: "isComplete",
            target: "submitting",
            actions: { type: "takeShown", params: ({ event }) => event.shown },
          },
          { actions: "sayMissing" },
        ],
      },
    },
    submitting: {
      on: { changed: { actions: { type: "takeEntry", params: ({ event }) => event.entry } } },
      invoke: {
        id: "subscribe",
        src: "subscribe",
        input: ({ context }) => ({ entry: context.entry, shown: context.shown }),
        onDone: [
          {
            guard: { type: "isSubscribed", params: ({ event }) => event.output },
            target: "success",
            actions: "clearEntry",
          },
          {
            target: "idle",
            actions: { type: "sayOutcome", params: ({ event }) => event.output },
          },
        ],
        onError: { target: "idle", actions: "sayNetwork" },
      },
    },
    success: {
      after: { bannerTime: "idle" },
    },
  },
});
