import { assign, createActor, fromPromise, setup } from "xstate";

import { siteApi } from "../../api-client/request.ts";
import type { FormEvent } from "../form-machine.ts";
import {
  type ContactFaults,
  type ContactSubmission,
  readMessage,
  sendContactMessage,
  submissionOf,
} from "./contact-call.ts";

function faultsIn(data: FormData): ContactFaults {
  const message = readMessage(data);
  return "faults" in message ? message.faults : {};
}

type ContactContext = {
  /** The last submission, until it is accepted. */
  submission: ContactSubmission | undefined;
  faults: ContactFaults;
  /** Number of refused submissions; the summary takes focus at each. */
  refusals: number;
  /** Why the message was not accepted. */
  trouble: "failed" | "network" | undefined;
};

const untouched: ContactContext = {
  submission: undefined,
  faults: {},
  refusals: 0,
  trouble: undefined,
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ContactContext; events: FormEvent },
  actors: {
    send: fromPromise<{ accepted: boolean }, ContactSubmission | undefined>(({ input }) =>
      sendContactMessage(siteApi(), input),
    ),
  },
  guards: {
    isComplete: (_, data: FormData) => !("faults" in readMessage(data)),
    isAccepted: (_, result: { accepted: boolean }) => result.accepted,
  },
  actions: {
    takeMessage: assign(({ context }, data: FormData) => ({
      submission: submissionOf(data, context.submission),
      faults: {},
    })),
    findFaults: assign(({ context }, data: FormData) => ({
      faults: faultsIn(data),
      refusals: context.refusals + 1,
    })),
    forgetFault: assign(({ context }, field: string) => ({
      faults: {
        ...context.faults,
        ...(field === "subjectCategory"
          ? { category: undefined, subject: undefined }
          : { [field]: undefined }),
      },
    })),
    clear: assign(untouched),
    sayFailed: assign({ trouble: "failed" }),
    sayNetwork: assign({ trouble: "network" }),
  },
});

const forgetFault = {
  type: "forgetFault",
  params: ({ event }: { event: { field: string } }) => event.field,
} as const;

/** The contact form (specification §4), without React and texts. */
export const contactMachine = machine.createMachine({
  id: "contact",
  initial: "idle",
  context: untouched,
  on: {
    submit: [
      {
        guard: { type: "isComplete", params: ({ event }) => event.data },
        target: ".sending",
        actions: { type: "takeMessage", params: ({ event }) => event.data },
      },
      {
        target: ".idle",
        actions: { type: "findFaults", params: ({ event }) => event.data },
      },
    ],
    edited: { actions: forgetFault },
  },
  states: {
    idle: {},
    sending: {
      // A message is sent once and unchanged.
      on: { submit: {}, edited: {} },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context }) => context.submission,
        onDone: [
          {
            guard: { type: "isAccepted", params: ({ event }) => event.output },
            target: "success",
          },
          { target: "error", actions: "sayFailed" },
        ],
        onError: { target: "error", actions: "sayNetwork" },
      },
    },
    success: {
      entry: "clear",
      // A new message replaces the success notice.
      on: { edited: "idle" },
    },
    error: {},
  },
});

export const createContactActor = () => createActor(contactMachine);
