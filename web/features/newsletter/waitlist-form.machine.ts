import { subscriptionSetup, untouched } from "./subscription.machine.ts";

/** How long the success banner stays (specification §9). */
export const bannerMs = 10_000;

/** The waitlist form of the signup page (specification §4), free of React and of words. */
export const waitlistMachine = subscriptionSetup
  .extend({ delays: { bannerTime: bannerMs } })
  .createMachine({
    id: "waitlist",
    initial: "idle",
    context: untouched,
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
