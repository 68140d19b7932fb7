import { assign, createActor, fromPromise, setup } from "xstate";

import type { FormEvent } from "../form-machine.ts";
import {
  type FormRequest,
  hasCode,
  loadStatus,
  needsCode,
  type Pressed,
  pressStatus,
  readPressed,
  type StatusAct,
  type StatusResult,
  type StatusTrouble,
} from "./request-status-calls.ts";

type StatusContext = {
  readonly token: string;
  readonly request: FormRequest | undefined;
  readonly pressed: Pressed | undefined;
  readonly trouble: StatusTrouble | undefined;
  /** What was done last, and is confirmed. */
  readonly done: StatusAct | undefined;
  /** Number of results; each takes focus. */
  readonly results: number;
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: StatusContext; events: FormEvent; input: { token: string } },
  actors: {
    load: fromPromise<StatusResult, string>(({ input }) => loadStatus(input)),
    press: fromPromise<StatusResult, { token: string; pressed: Pressed | undefined }>(
      async ({ input: { token, pressed } }) =>
        pressed === undefined ? loadStatus(token) : pressStatus(token, pressed),
    ),
  },
  guards: {
    isKnown: (_, result: StatusResult) => result.kind === "known",
    isUnknown: (_, result: StatusResult) => result.kind === "unknown",
    isComplete: (_, pressed: Pressed) => !needsCode(pressed) || hasCode(pressed),
  },
  actions: {
    takePress: assign((_, pressed: Pressed) => ({ pressed, trouble: undefined, done: undefined })),
    takeResult: assign(({ context }, result: StatusResult) => {
      if (result.kind !== "known") return {};
      const { request, trouble } = result;
      const done = trouble === undefined ? context.pressed?.act : undefined;
      const results = context.pressed === undefined ? context.results : context.results + 1;
      return { request, trouble, done, results, pressed: undefined };
    }),
    say: assign(({ context }, trouble: StatusTrouble) => ({
      trouble,
      done: undefined,
      pressed: undefined,
      results: context.results + 1,
    })),
    forget: assign({ trouble: undefined, done: undefined }),
  },
});

/** A request by form, behind the link of its mail. To load again, begin anew. */
export const requestStatusMachine = machine.createMachine({
  id: "request-status",
  initial: "loading",
  context: ({ input }) => ({
    token: input.token,
    request: undefined,
    pressed: undefined,
    trouble: undefined,
    done: undefined,
    results: 0,
  }),
  states: {
    loading: {
      invoke: {
        id: "load",
        src: "load",
        input: ({ context }) => context.token,
        onDone: [
          {
            guard: { type: "isKnown", params: ({ event }) => event.output },
            target: "shown",
            actions: { type: "takeResult", params: ({ event }) => event.output },
          },
          { guard: { type: "isUnknown", params: ({ event }) => event.output }, target: "unknown" },
          { target: "unreached", actions: { type: "say", params: "failed" } },
        ],
        onError: { target: "unreached", actions: { type: "say", params: "network" } },
      },
    },
    unreached: { type: "final" },
    unknown: { type: "final" },
    shown: {
      on: {
        edited: { actions: "forget" },
        submit: [
          {
            guard: { type: "isComplete", params: ({ event }) => readPressed(event.data) },
            target: "busy",
            actions: { type: "takePress", params: ({ event }) => readPressed(event.data) },
          },
          { actions: { type: "say", params: "codeRequired" } },
        ],
      },
    },
    busy: {
      invoke: {
        id: "press",
        src: "press",
        input: ({ context: { token, pressed } }) => ({ token, pressed }),
        onDone: [
          {
            guard: { type: "isKnown", params: ({ event }) => event.output },
            target: "shown",
            actions: { type: "takeResult", params: ({ event }) => event.output },
          },
          { target: "shown", actions: { type: "say", params: "failed" } },
        ],
        onError: { target: "shown", actions: { type: "say", params: "network" } },
      },
    },
  },
});

export const createRequestStatusActor = (token: string) =>
  createActor(requestStatusMachine, { input: { token } });
