import { assign, createActor, fromPromise, setup } from "xstate";

import { siteApi } from "../../../api-client/request.ts";
import { type FormEvent, textIn } from "../../form-machine.ts";
import { confirm, type ConfirmResult, resend, type ResendResult } from "../mail-token-calls.ts";

/** Why a new link was not sent. */
export type ResendTrouble = "tooMany" | "failed" | "network";

type ConfirmContext = {
  token: string;
  email: string;
  /** In `expired`: a newer mail ended the link, not time. */
  superseded: boolean;
  resendTrouble: ResendTrouble | undefined;
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ConfirmContext; events: FormEvent },
  actors: {
    confirm: fromPromise<ConfirmResult, string>(({ input }) => confirm(siteApi(), input)),
    resend: fromPromise<ResendResult, string>(({ input }) => resend(siteApi(), input)),
  },
  guards: {
    isKind: (_, { result, kind }: { result: { kind: string }; kind: string }) =>
      result.kind === kind,
  },
  actions: {
    takeToken: assign((_, data: FormData) => ({ token: textIn(data, "token") })),
    takeEmail: assign((_, result: ConfirmResult) => ({
      email: result.kind === "confirmed" ? result.email : "",
    })),
    supersede: assign({ superseded: true }),
    say: assign((_, resendTrouble: ResendTrouble | undefined) => ({ resendTrouble })),
  },
});

const when = <Kind extends string>(kind: Kind) =>
  ({
    type: "isKind",
    params: ({ event }: { event: { output: { kind: string } } }) => ({
      result: event.output,
      kind,
    }),
  }) as const;

const confirming = machine.createStateConfig({
  invoke: {
    id: "confirm",
    src: "confirm",
    input: ({ context }) => context.token,
    onDone: [
      {
        guard: when("confirmed"),
        target: "confirmed",
        actions: { type: "takeEmail", params: ({ event }) => event.output },
      },
      { guard: when("used"), target: "used" },
      { guard: when("superseded"), target: "expired", actions: "supersede" },
      { guard: when("expired"), target: "expired" },
      { guard: when("unknown"), target: "unknown" },
      { target: "failed" },
    ],
    onError: "network",
  },
});

const resending = machine.createStateConfig({
  entry: { type: "say", params: undefined },
  invoke: {
    id: "resend",
    src: "resend",
    input: ({ context }) => context.token,
    onDone: [
      { guard: when("resent"), target: "resent" },
      { guard: when("used"), target: "used" },
      { guard: when("unknown"), target: "unknown" },
      {
        guard: when("tooMany"),
        target: "expired",
        actions: { type: "say", params: "tooMany" },
      },
      { target: "expired", actions: { type: "say", params: "failed" } },
    ],
    onError: { target: "expired", actions: { type: "say", params: "network" } },
  },
});

const press = {
  target: "confirming",
  actions: {
    type: "takeToken",
    params: ({ event }: { event: Extract<FormEvent, { type: "submit" }> }) => event.data,
  },
} as const;

/**
 * The confirmation of an address. Nothing is sent without a press of the button; where the link has
 * expired the same button asks for a new one.
 */
export const confirmMachine = machine.createMachine({
  id: "confirmation",
  initial: "idle",
  context: { token: "", email: "", superseded: false, resendTrouble: undefined },
  states: {
    idle: { on: { submit: press } },
    confirming,
    confirmed: { type: "final" },
    used: { type: "final" },
    unknown: { type: "final" },
    expired: { on: { submit: "resending" } },
    resending,
    resent: { type: "final" },
    failed: { on: { submit: press } },
    network: { on: { submit: press } },
  },
});

export const createConfirmActor = () => createActor(confirmMachine);
