import { assign, fromPromise, setup } from "xstate";

import type { ConfirmOutcome, ResendOutcome } from "./confirm-call.ts";
import type { ConfirmEvent, ResendTrouble } from "./confirm-view.ts";

type ConfirmContext = { token: string; email: string; resendTrouble: ResendTrouble | undefined };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ConfirmContext; events: ConfirmEvent },
  actors: {
    confirm: fromPromise<ConfirmOutcome, string>(() => Promise.resolve({ kind: "failed" })),
    resend: fromPromise<ResendOutcome, string>(() => Promise.resolve({ kind: "failed" })),
  },
  guards: {
    became: (_, { outcome, kind }: { outcome: { kind: string }; kind: string }) =>
      outcome.kind === kind,
  },
  actions: {
    takeToken: assign((_, token: string) => ({ token })),
    takeEmail: assign((_, outcome: ConfirmOutcome) => ({
      email: outcome.kind === "confirmed" ? outcome.email : "",
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
          type: "became",
          params: ({ event }) => ({ outcome: event.output, kind: "confirmed" }),
        },
        target: "confirmed",
        actions: { type: "takeEmail", params: ({ event }) => event.output },
      },
      {
        guard: { type: "became", params: ({ event }) => ({ outcome: event.output, kind: "used" }) },
        target: "used",
      },
      {
        guard: {
          type: "became",
          params: ({ event }) => ({ outcome: event.output, kind: "expired" }),
        },
        target: "expired",
      },
      {
        guard: {
          type: "became",
          params: ({ event }) => ({ outcome: event.output, kind: "unknown" }),
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
          type: "became",
          params: ({ event }) => ({ outcome: event.output, kind: "resent" }),
        },
        target: "resent",
      },
      {
        guard: { type: "became", params: ({ event }) => ({ outcome: event.output, kind: "used" }) },
        target: "used",
      },
      {
        guard: {
          type: "became",
          params: ({ event }) => ({ outcome: event.output, kind: "unknown" }),
        },
        target: "unknown",
      },
      {
        guard: {
          type: "became",
          params: ({ event }) => ({ outcome: event.output, kind: "tooMany" }),
        },
        target: "expired",
        actions: "sayTooMany",
      },
      { target: "expired", actions: "sayNotSent" },
    ],
    onError: { target: "expired", actions: "sayNetwork" },
  },
});

/** One press of one button, and everything that may come of it. Nothing happens without the press. */
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
