import { looksLikeEmail } from "@pro-talent/schemas/primitives/email-shape";
import { assign, createActor, fromPromise, setup } from "xstate";

import { siteApi } from "../../../api-client/request.ts";
import { type FormEvent, textIn } from "../../form-machine.ts";
import { type NewLinkResult, requestLink } from "../mail-token-calls.ts";

export type NewLinkTrouble = Exclude<NewLinkResult["kind"], "sent"> | "network";

const emailIn = (data: FormData): string => textIn(data, "email").trim();

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: { email: string; trouble: NewLinkTrouble | undefined };
    events: FormEvent;
  },
  actors: {
    request: fromPromise<NewLinkResult, string>(({ input }) => requestLink(siteApi(), input)),
  },
  guards: {
    isEmail: (_, data: FormData) => looksLikeEmail(emailIn(data)),
    isSent: (_, result: NewLinkResult) => result.kind === "sent",
  },
  actions: {
    takeEmail: assign((_, data: FormData) => ({ email: emailIn(data), trouble: undefined })),
    say: assign((_, trouble: NewLinkTrouble | undefined) => ({ trouble })),
    sayResult: assign((_, { kind }: NewLinkResult) => ({
      trouble: kind === "sent" ? undefined : kind,
    })),
  },
});

/** The request of a new link to the preferences, by a subscriber whose own does not work. */
export const newLinkMachine = machine.createMachine({
  id: "newLink",
  initial: "idle",
  context: { email: "", trouble: undefined },
  states: {
    idle: {
      on: {
        edited: { actions: { type: "say", params: undefined } },
        submit: [
          {
            guard: { type: "isEmail", params: ({ event }) => event.data },
            target: "sending",
            actions: { type: "takeEmail", params: ({ event }) => event.data },
          },
          { actions: { type: "say", params: "emailInvalid" } },
        ],
      },
    },
    sending: {
      invoke: {
        id: "request",
        src: "request",
        input: ({ context }) => context.email,
        onDone: [
          { guard: { type: "isSent", params: ({ event }) => event.output }, target: "sent" },
          { target: "idle", actions: { type: "sayResult", params: ({ event }) => event.output } },
        ],
        onError: { target: "idle", actions: { type: "say", params: "network" } },
      },
    },
    sent: { type: "final" },
  },
});

export const createNewLinkActor = () => createActor(newLinkMachine);
