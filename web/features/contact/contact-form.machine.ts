import { assign, fromPromise, setup } from "xstate";

import {
  type ContactFaults,
  type ContactField,
  type ContactMessage,
  edited,
  emptyMessage,
  faultsOf,
  faultsWithout,
  hasFaults,
} from "./contact-message.ts";
import type { ContactEvent } from "./contact-view.ts";

export type ContactLetter = { message: ContactMessage; sessionId: string | undefined };
/** Whether the platform took the letter; when nothing answered, the call throws. */
export type ContactOutcome = { taken: boolean };

type ContactContext = ContactLetter & { faults: ContactFaults; refusals: number };
type Edit = { field: ContactField; value: string };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ContactContext; events: ContactEvent },
  actors: {
    send: fromPromise<ContactOutcome, ContactLetter>(() => Promise.resolve({ taken: true })),
  },
  guards: {
    isComplete: ({ context }) => !hasFaults(faultsOf(context.message)),
    isTaken: (_, outcome: ContactOutcome) => outcome.taken,
  },
  actions: {
    edit: assign(({ context }, { field, value }: Edit) => ({
      message: edited(context.message, field, value),
      faults: faultsWithout(context.faults, field),
    })),
    findFaults: assign(({ context }) => ({
      faults: faultsOf(context.message),
      refusals: context.refusals + 1,
    })),
    address: assign((_, sessionId: string | undefined) => ({ sessionId, faults: {} })),
    clear: assign({ message: emptyMessage, faults: {} }),
  },
});

/**
 * The contact form (specification §4), free of React and of words: `provide` brings the actor
 * `send`, which throws when nothing answers.
 */
export const contactMachine = machine.createMachine({
  id: "contact",
  initial: "idle",
  context: { message: emptyMessage, sessionId: undefined, faults: {}, refusals: 0 },
  on: {
    submit: [
      {
        guard: "isComplete",
        target: ".sending",
        actions: { type: "address", params: ({ event }) => event.sessionId },
      },
      { target: ".idle", actions: "findFaults" },
    ],
    changed: { actions: { type: "edit", params: ({ event }) => event } },
  },
  states: {
    idle: {},
    sending: {
      // What is on its way stays as it was sent, and is sent once.
      on: { submit: {}, changed: {} },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context }) => ({ message: context.message, sessionId: context.sessionId }),
        onDone: [
          {
            guard: { type: "isTaken", params: ({ event }) => event.output },
            target: "success",
          },
          { target: "error" },
        ],
        onError: "error",
      },
    },
    success: {
      entry: "clear",
      // Somebody writes again: the thanks for the last message would be in the way.
      on: {
        changed: { target: "idle", actions: { type: "edit", params: ({ event }) => event } },
      },
    },
    error: {},
  },
});
