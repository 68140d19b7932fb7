import { assign, fromPromise, setup } from "xstate";

import {
  emptyEntry,
  type Entry,
  missingIn,
  type Shown,
  type SubscribeEvent,
  type SubscribeInput,
  type SubscribeResult,
  type Trouble,
  troubleOf,
} from "./subscribe.ts";

type SubscribeContext = { entry: Entry; shown: Shown; trouble: Trouble | undefined };

export const untouched: SubscribeContext = {
  entry: emptyEntry,
  shown: { language: "en", consentText: "" },
  trouble: undefined,
};

/**
 * Shared by newsletter and waitlist form. `provide` supplies the actor `subscribe`, which throws
 * when there is no answer.
 */
export const subscribeSetup = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: SubscribeContext; events: SubscribeEvent },
  actors: {
    subscribe: fromPromise<SubscribeResult, SubscribeInput>(() =>
      Promise.resolve({ kind: "subscribed" }),
    ),
  },
  guards: {
    isComplete: ({ context }) => missingIn(context.entry) === undefined,
    isSubscribed: (_, result: SubscribeResult) => result.kind === "subscribed",
  },
  actions: {
    takeEntry: assign((_, entry: Entry) => ({ entry, trouble: undefined })),
    takeShown: assign((_, shown: Shown) => ({ shown, trouble: undefined })),
    sayMissing: assign(({ context }) => {
      const code = missingIn(context.entry);
      return { trouble: code === undefined ? undefined : { code } };
    }),
    sayResult: assign((_, result: SubscribeResult) => ({ trouble: troubleOf(result) })),
    sayNetwork: assign({ trouble: { code: "network" } }),
    clearEntry: assign({ entry: emptyEntry }),
  },
});
