import { assign, createActor, fromPromise, setup } from "xstate";

import type { FormEvent } from "../form-machine.ts";
import {
  type PrivacyFormFaults,
  type PrivacyFormResult,
  type PrivacySubmission,
  readForm,
  sendPrivacyForm,
  submissionOf,
} from "./privacy-form-call.ts";

function faultsIn(data: FormData): PrivacyFormFaults {
  const form = readForm(data);
  return "faults" in form ? form.faults : {};
}

type PrivacyFormContext = {
  /** The last submission; once it was sent, the one that the page confirms. */
  submission: PrivacySubmission | undefined;
  faults: PrivacyFormFaults;
  /** Number of refused submissions; the summary takes focus at each. */
  refusals: number;
  /** Why the form was not accepted. */
  trouble: "failed" | "tooMany" | "network" | undefined;
};

const untouched: PrivacyFormContext = {
  submission: undefined,
  faults: {},
  refusals: 0,
  trouble: undefined,
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: PrivacyFormContext; events: FormEvent },
  actors: {
    send: fromPromise<PrivacyFormResult, PrivacySubmission | undefined>(({ input }) =>
      sendPrivacyForm(input),
    ),
  },
  guards: {
    isComplete: (_, data: FormData) => !("faults" in readForm(data)),
    isSent: (_, result: PrivacyFormResult) => result === "sent",
  },
  actions: {
    takeForm: assign(({ context }, data: FormData) => ({
      submission: submissionOf(data, context.submission),
      faults: {},
      trouble: undefined,
    })),
    findFaults: assign(({ context }, data: FormData) => ({
      faults: faultsIn(data),
      refusals: context.refusals + 1,
      trouble: undefined,
    })),
    forgetFault: assign(({ context }, field: string) => ({
      faults: {
        ...context.faults,
        [field]: undefined,
      },
    })),
    say: assign((_, trouble: PrivacyFormContext["trouble"]) => ({ trouble })),
  },
});

/** The public form of privacy requests, without React and texts. */
export const privacyFormMachine = machine.createMachine({
  id: "privacy-form",
  initial: "idle",
  context: untouched,
  on: {
    submit: [
      {
        guard: { type: "isComplete", params: ({ event }) => event.data },
        target: ".sending",
        actions: { type: "takeForm", params: ({ event }) => event.data },
      },
      { target: ".idle", actions: { type: "findFaults", params: ({ event }) => event.data } },
    ],
    edited: { actions: { type: "forgetFault", params: ({ event }) => event.field } },
  },
  states: {
    idle: {},
    sending: {
      // A form is sent once and unchanged.
      on: { submit: {}, edited: {} },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context }) => context.submission,
        onDone: [
          { guard: { type: "isSent", params: ({ event }) => event.output }, target: "sent" },
          {
            target: "error",
            actions: {
              type: "say",
              params: ({ event: { output } }) => (output === "tooMany" ? output : "failed"),
            },
          },
        ],
        onError: { target: "error", actions: { type: "say", params: "network" } },
      },
    },
    sent: { on: { submit: {}, edited: {} } },
    error: {},
  },
});

export const createPrivacyFormActor = () => createActor(privacyFormMachine);
