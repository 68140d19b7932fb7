import { subscribeSetup, untouched } from "./subscribe.machine.ts";

/** Time that the success banner is shown (specification §9). */
export const bannerMs = 10_000;

/** The waitlist form (specification §4), without React and texts. */
export const waitlistMachine = subscribeSetup
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
              actions: { type: "sayResult", params: ({ event }) => event.output },
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
