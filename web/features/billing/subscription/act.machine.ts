import { assign, fromPromise, setup } from "xstate";

import type { ShownAction, Trouble } from "../billing-calls.ts";
import { type ActResult, apply, findAgain } from "./act-calls.ts";

type ActContext = {
  /** What is shown; only this is ever applied. */
  action: ShownAction;
  /** What was shown before, if the act would now do something else. */
  before: ShownAction | undefined;
  trouble: Trouble | undefined;
  /** Where it goes on: at the provider or the holder's bank. */
  url: string | undefined;
  /** When the server received it; not known when its answer was lost. */
  at: string | undefined;
  /** An answer was lost: it may have been applied. */
  uncertain: boolean;
};

export type ActEvent =
  /** With what its button shows at that moment. */
  { type: "open"; action: ShownAction } | { type: "close" } | { type: "confirm" };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: ActContext; events: ActEvent; input: { action: ShownAction } },
  actors: {
    apply: fromPromise<ActResult, ShownAction>(({ input }) => apply(input)),
    findAgain: fromPromise<ShownAction | undefined, ShownAction>(({ input }) => findAgain(input)),
  },
  guards: {
    is: (_, { result, kind }: { result: ActResult; kind: ActResult["kind"] }) =>
      result.kind === kind,
    wasApplied: ({ context }, { kind }: ActResult) => kind === "obsolete" && context.uncertain,
    isFound: (_, action: ShownAction | undefined) => action !== undefined,
  },
  actions: {
    begin: assign((_, action: ShownAction) => ({ action, before: undefined })),
    renew: assign(({ context: { action } }, result: ActResult) =>
      result.kind === "refused" ? { action: { ...action, key: result.key } } : {},
    ),
    say: assign((_, trouble: Trouble | undefined) => ({ trouble })),
    doubt: assign({ trouble: "network", uncertain: true }),
    take: assign((_, result: ActResult) => ({
      url: result.kind === "leave" ? result.url : undefined,
    })),
    note: assign((_, result: ActResult) => ({
      at: result.kind === "applied" ? result.at : undefined,
    })),
    show: assign(({ context }, action: ShownAction | undefined) =>
      action === undefined
        ? {}
        : {
            action,
            before: action.hash === context.action.hash ? undefined : context.action,
            trouble: undefined,
          },
    ),
  },
});

/** One at a time: closing or pressing again changes nothing. */
const applying = machine.createStateConfig({
  entry: { type: "say", params: undefined },
  invoke: {
    id: "apply",
    src: "apply",
    input: ({ context }) => context.action,
    onDone: [
      {
        guard: { type: "is", params: ({ event }) => ({ result: event.output, kind: "applied" }) },
        target: "applied",
        actions: { type: "note", params: ({ event }) => event.output },
      },
      {
        guard: { type: "is", params: ({ event }) => ({ result: event.output, kind: "pending" }) },
        target: "pending",
      },
      {
        guard: { type: "is", params: ({ event }) => ({ result: event.output, kind: "leave" }) },
        target: "leaving",
        actions: { type: "take", params: ({ event }) => event.output },
      },
      {
        guard: { type: "is", params: ({ event }) => ({ result: event.output, kind: "changed" }) },
        target: "finding",
      },
      { guard: { type: "wasApplied", params: ({ event }) => event.output }, target: "applied" },
      {
        guard: { type: "is", params: ({ event }) => ({ result: event.output, kind: "obsolete" }) },
        target: "obsolete",
      },
      {
        target: "confirming",
        actions: [
          { type: "renew", params: ({ event }) => event.output },
          {
            type: "say",
            params: ({ event: { output } }) =>
              output.kind === "refused" ? output.trouble : "failed",
          },
        ],
      },
    ],
    onError: { target: "confirming", actions: "doubt" },
  },
});

const finding = machine.createStateConfig({
  invoke: {
    id: "findAgain",
    src: "findAgain",
    input: ({ context }) => context.action,
    onDone: [
      {
        guard: { type: "isFound", params: ({ event }) => event.output },
        target: "confirming",
        actions: { type: "show", params: ({ event }) => event.output },
      },
      { target: "obsolete" },
    ],
    onError: { target: "confirming", actions: { type: "say", params: "network" } },
  },
});

/**
 * An act on a subscription in two steps: shown with its dates and amounts, then confirmed. It is
 * applied once and only as it was shown; what has changed meanwhile is shown again.
 */
export const actMachine = machine.createMachine({
  id: "act",
  context: ({ input: { action } }) => ({
    action,
    before: undefined,
    trouble: undefined,
    url: undefined,
    at: undefined,
    uncertain: false,
  }),
  initial: "shown",
  states: {
    shown: {
      on: {
        open: {
          target: "confirming",
          actions: { type: "begin", params: ({ event }) => event.action },
        },
      },
    },
    confirming: {
      on: {
        confirm: "applying",
        close: { target: "shown", actions: { type: "say", params: undefined } },
      },
    },
    applying,
    finding,
    applied: { type: "final" },
    pending: { type: "final" },
    leaving: { type: "final" },
    obsolete: { type: "final" },
  },
});
