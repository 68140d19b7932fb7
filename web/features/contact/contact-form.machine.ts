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
  isSameMessage,
} from "./contact-message.ts";
import type { ContactEvent, Postmark } from "./contact-view.ts";

export type ContactLetter = { message: ContactMessage; postmark: Postmark };
/** Whether the platform took the letter; when nothing answered, the call throws. */
export type ContactOutcome = { taken: boolean };

type ContactContext = {
  message: ContactMessage;
  /** What was sent last and has not arrived for certain. */
  letter: ContactLetter;
  faults: ContactFaults;
  refusals: number;
};
type Edit = { field: ContactField; value: string };

const noLetter: ContactLetter = {
  message: emptyMessage,
  postmark: { letterId: "", language: "en", sessionId: undefined, writingMs: undefined },
};

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
    // Word for word the letter of the last try: it may have arrived although no answer did.
    address: assign(({ context: { message, letter } }, postmark: Postmark) => ({
      letter: isSameMessage(message, letter.message) ? letter : { message, postmark },
      faults: {},
    })),
    clear: assign({ message: emptyMessage, letter: noLetter, faults: {} }),
  },
});

/**
 * The contact form (specification §4), free of React and of words: `provide` brings the actor
 * `send`, which throws when nothing answers.
 */
export const contactMachine = machine.createMachine({
  id: "contact",
  initial: "idle",
  context: { message: emptyMessage, letter: noLetter, faults: {}, refusals: 0 },
  on: {
    submit: [
      {
        guard: "isComplete",
        target: ".sending",
        actions: { type: "address", params: ({ event }) => event.postmark },
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
        input: ({ context }) => context.letter,
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
