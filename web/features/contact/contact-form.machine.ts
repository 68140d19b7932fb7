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
import type { ContactEvent, SubmissionMetadata } from "./contact-view.ts";

export type ContactSubmission = { message: ContactMessage; metadata: SubmissionMetadata };
/** The call throws when there is no answer. */
export type ContactResult = { accepted: boolean };

type ContactContext = {
  message: ContactMessage;
  /** The last submission, until it is accepted. */
  submission: ContactSubmission;
  faults: ContactFaults;
  refusals: number;
};
type Edit = { field: ContactField; value: string };

const noSubmission: ContactSubmission = {
  message: emptyMessage,
  metadata: { idempotencyKey: "", language: "en", sessionId: undefined, writingMs: undefined },
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ContactContext; events: ContactEvent },
  actors: {
    send: fromPromise<ContactResult, ContactSubmission>(() => Promise.resolve({ accepted: true })),
  },
  guards: {
    isComplete: ({ context }) => !hasFaults(faultsOf(context.message)),
    isAccepted: (_, result: ContactResult) => result.accepted,
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
    // An unchanged message keeps its idempotency key: the last try may have arrived unanswered.
    prepareSubmission: assign(
      ({ context: { message, submission } }, metadata: SubmissionMetadata) => ({
        submission: isSameMessage(message, submission.message) ? submission : { message, metadata },
        faults: {},
      }),
    ),
    clear: assign({ message: emptyMessage, submission: noSubmission, faults: {} }),
  },
});

/**
 * The contact form (specification §4), without React and texts: `provide` supplies the actor
 * `send`, which throws when there is no answer.
 */
export const contactMachine = machine.createMachine({
  id: "contact",
  initial: "idle",
  context: { message: emptyMessage, submission: noSubmission, faults: {}, refusals: 0 },
  on: {
    submit: [
      {
        guard: "isComplete",
        target: ".sending",
        actions: { type: "prepareSubmission", params: ({ event }) => event.metadata },
      },
      { target: ".idle", actions: "findFaults" },
    ],
    changed: { actions: { type: "edit", params: ({ event }) => event } },
  },
  states: {
    idle: {},
    sending: {
      // A message is sent once and unchanged.
      on: { submit: {}, changed: {} },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context }) => context.submission,
        onDone: [
          {
            guard: { type: "isAccepted", params: ({ event }) => event.output },
            target: "success",
          },
          { target: "error" },
        ],
        onError: "error",
      },
    },
    success: {
      entry: "clear",
      // A new message replaces the success notice.
      on: {
        changed: { target: "idle", actions: { type: "edit", params: ({ event }) => event } },
      },
    },
    error: {},
  },
});
