import { assign, fromPromise, setup } from "xstate";

import type { ConfirmResult, ResendResult } from "./confirm-call.ts";
import type { ConfirmEvent, ResendTrouble } from "./confirm-view.ts";

type ConfirmContext = { token: string; email: string; resendTrouble: ResendTrouble | undefined };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ConfirmContext; events: ConfirmEvent },
  actors: {
    confirm: fromPromise<ConfirmResult, string>(() => Promise.resolve({ kind: "failed" })),
    resend: fromPromise<ResendResult, string>(() => Promise.resolve({ kind: "failed" })),
  },
  guards: {
    isKind: (_, { result, kind }: { result: { kind: string }; kind: string }) =>
      result.kind === kind,
  },
  actions: {
    takeToken: assign((_, token: string) => ({ token })),
    takeEmail: assign((_, result: ConfirmResult) => ({
      email: result.kind === "confirmed" ? result.email : "",
    })),
    sayTooMany: assign({ resendTrouble: "tooMany" }),
    sayNotSent: assign({ resendTrouble: "failed" }),
    sayNetwork: assign({ resendTrouble: "network" }),
    sayNothing: assign({ resendTrouble: undefined }),
  },
});

const confirming = machine.createStateConfig({
  invoke: {
    id: "confirm",
    src: "confirm",
    input: ({ context }) => context.token,
    onDone: [
      {
        guard: {
          type: "isKind",
          params: ({ event }) => ({ result: event.output, kind: "confirmed" }),
        },
        target: "confirmed",
        actions: { type: "takeEmail", params: ({ event }) => event.output },
      },
      {
        guard: { type: "isKind", params: ({ event }) => ({ result: event.output, kind: "used" }) },
        target: "used",
      },
      {
        guard: {
          type: "isKind",
          params: ({ event }) => ({ result: event.output, kind: "expired" }),
        },
        target: "expired",
      },
      {
        guard: {
          type: "isKind",
          params: ({ event }) => ({ result: event.output, kind: "unknown" }),
        },
        target: "unknown",
      },
      { target: "failed" },
    ],
    onError: "network",
  },
});

const resending = machine.createStateConfig({
  entry: "sayNothing",
  invoke: {
    id: "resend",
    src: "resend",
    input: ({ context }) => context.token,
    onDone: [
      {
        guard: {
          type: "isKind",
          params: ({ event }) => ({ result: event.output, kind: "resent" }),
        },
        target: "resent",
      },
      {
        guard: { type: "isKind", params: ({ event }) => ({ result: event.output, kind: "used" }) },
        target: "used",
      },
      {
        guard: {
          type: "isKind",
          params: ({ event }) => ({ result: event.output, kind: "unknown" }),
        },
        target: "unknown",
      },
      {
        guard: {
          type: "isKind",
          params: ({ event }) => ({ result: event.output, kind: "tooMany" }),
        },
        target: "expired",
        actions: "sayTooMany",
      },
      { target: "expired", actions: "sayNotSent" },
    ],
    onError: { target: "expired", actions: "sayNetwork" },
  },
});

/** The confirmation of an address. Nothing is sent without a press of the button. */
export const confirmMachine = machine.createMachine({
  id: "confirmation",
  initial: "idle",
  context: { token: "", email: "", resendTrouble: undefined },
  states: {
    idle: {
      on: {
        confirm: {
          target: "confirming",
          actions: { type: "takeToken", params: ({ event }) => event.token },
        },
      },
    },
    confirming,
    confirmed: { type: "final" },
    used: { type: "final" },
    unknown: { type: "final" },
    expired: { on: { resend: "resending" } },
    resending,
    resent: { type: "final" },
    failed: { on: { confirm: "confirming" } },
    network: { on: { confirm: "confirming" } },
  },
});
