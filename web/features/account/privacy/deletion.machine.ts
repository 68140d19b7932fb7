import type { PrivacyEventType } from "@pro-talent/schemas/privacy/events";
import { assign, setup } from "xstate";

import type { OwnRequest } from "./requests-query.ts";

/** What a holder does about a deletion that is under way, and the event that it leads to. */
const eventOf = {
  waive: "GraceWaived",
  cancel: "DeletionCancelled",
} as const satisfies Readonly<Record<string, PrivacyEventType>>;
export type DeletionAct = "delete" | keyof typeof eventOf;

/** What the holder can do: ask for a deletion while none is under way, else what the ledger permits. */
export function possibleActs(request: OwnRequest | undefined): readonly DeletionAct[] {
  if (request === undefined) return ["delete"];
  return (["waive", "cancel"] as const).filter((act) => request.possible.includes(eventOf[act]));
}

type Asked = Exclude<DeletionAct, "cancel">;
export type DeletionEvent =
  | { type: "ask"; act: Asked }
  | { type: "keep" }
  /** The list of requests was loaded anew. */
  | { type: "stands"; possible: readonly DeletionAct[] };

type Context = { possible: readonly DeletionAct[]; act: Asked | undefined };

/**
 * Which part of a deletion is shown: where it stands, or the form of an act that is possible. A form
 * closes as soon as its act is not possible any more, by whatever has happened.
 */
export const deletionMachine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: Context;
    events: DeletionEvent;
    input: { possible: readonly DeletionAct[] };
  },
  guards: {
    mayAsk: ({ context }, act: Asked) => context.possible.includes(act),
    endsForm: ({ context }, possible: readonly DeletionAct[]) =>
      context.act !== undefined && !possible.includes(context.act),
  },
}).createMachine({
  id: "deletion",
  context: ({ input }) => ({ possible: input.possible, act: undefined }),
  initial: "shown",
  states: {
    shown: {
      on: {
        ask: {
          guard: { type: "mayAsk", params: ({ event }) => event.act },
          target: "asking",
          actions: assign(({ event }) => ({ act: event.act })),
        },
        stands: { actions: assign(({ event }) => ({ possible: event.possible })) },
      },
    },
    asking: {
      on: {
        keep: { target: "shown", actions: assign({ act: undefined }) },
        stands: [
          {
            guard: { type: "endsForm", params: ({ event }) => event.possible },
            target: "shown",
            actions: assign(({ event }) => ({ possible: event.possible, act: undefined })),
          },
          { actions: assign(({ event }) => ({ possible: event.possible })) },
        ],
      },
    },
  },
});
