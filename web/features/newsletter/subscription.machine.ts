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

type SubscriptionContext = { entry: Entry; shown: Shown; trouble: Trouble | undefined };

/** A form that nobody has touched. */
export const untouched: SubscriptionContext = {
  entry: emptyEntry,
  shown: { language: "en", consentText: "" },
  trouble: undefined,
};

/**
 * What the forms of the footer and of the waitlist have in common: what is entered, what is missing,
 * and what an answer means. `provide` brings the actor `subscribe`, which throws when nothing answers.
 */
export const subscriptionSetup = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: SubscriptionContext; events: SubscriptionEvent },
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
    clearEntry: assign({ entry: emptyEntry }),
  },
});
