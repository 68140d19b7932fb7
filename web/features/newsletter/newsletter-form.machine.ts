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

type NewsletterContext = { entry: Entry; shown: Shown; trouble: Trouble | undefined };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: NewsletterContext; events: SubscriptionEvent },
  actors: {
    subscribe: fromPromise<Outcome, Wish>(() => Promise.resolve({ kind: "subscribed" })),
  },
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
    sayNetwork: assign({ trouble: { code: "network" } }),
  },
});

/**
 * The newsletter form of the footer (specification §4), free of React and of words: `provide`
 * brings the actor `subscribe`, which throws when nothing answers.
 */
export const newsletterMachine = machine.createMachine({
  id: "newsletter",
  initial: "empty",
  context: {
    entry: emptyEntry,
    shown: { language: "en", consentText: "" },
    trouble: undefined,
  },
  on: {
    changed: { actions: { type: "takeEntry", params: ({ event }) => event.entry } },
  },
  states: {
    empty: {
      on: {
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
      invoke: {
        id: "subscribe",
        src: "subscribe",
        input: ({ context }) => ({ entry: context.entry, shown: context.shown }),
        onDone: [
          {
            guard: { type: "isSubscribed", params: ({ event }) => event.output },
            target: "subscribed",
          },
          {
            target: "empty",
            actions: { type: "sayOutcome", params: ({ event }) => event.output },
          },
        ],
        onError: { target: "empty", actions: "sayNetwork" },
      },
    },
    subscribed: { type: "final" },
  },
});
