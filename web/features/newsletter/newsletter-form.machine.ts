import { subscribeSetup, untouched } from "./subscribe.machine.ts";

/** The newsletter form (specification §4), without React and texts. */
export const newsletterMachine = subscribeSetup.createMachine({
  id: "newsletter",
  initial: "empty",
  context: untouched,
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
            actions: { type: "sayResult", params: ({ event }) => event.output },
          },
        ],
        onError: { target: "empty", actions: "sayNetwork" },
      },
    },
    subscribed: { type: "final" },
  },
});
