import type { PrivacyEvent } from "@pro-talent/schemas/privacy/events";
import { type RequestStatus, transitions } from "@pro-talent/schemas/privacy/transitions";
import { assign, setup } from "xstate";

import type { OwnRequest } from "./requests-query.ts";

/** What a holder does about a deletion, and the event that it brings about. */
const eventOf = {
  delete: "RequestReceived",
  waive: "GraceWaived",
  cancel: "DeletionCancelled",
} as const satisfies Readonly<Record<string, PrivacyEvent["type"]>>;
export type DeletionAct = keyof typeof eventOf;

/** Where the deletion stands as far as its holder can act; `claimed` and later are one. */
export type DeletionStatus = Extract<RequestStatus, "none" | "scheduled" | "claimed">;

export function statusOf(request: OwnRequest | undefined): DeletionStatus {
  if (request === undefined) return "none";
  return request.deletion?.cancellable === true ? "scheduled" : "claimed";
}

/** Whether the table of transitions lets the holder do this now. */
export const isPossible = (act: DeletionAct, status: DeletionStatus): boolean =>
  transitions.delete.some(
    ({ by, event, from }) => by === "holder" && event === eventOf[act] && from.includes(status),
  );

type Asked = Exclude<DeletionAct, "cancel">;
export type DeletionEvent =
  | { type: "ask"; act: Asked }
  | { type: "keep" }
  /** The list of requests was loaded anew. */
  | { type: "stands"; status: DeletionStatus };

type Context = { status: DeletionStatus; act: Asked | undefined };

/**
 * Which part of a deletion is shown: where it stands, or the form of an act that the table allows. A form
 * closes as soon as its act is not possible any more, by whatever has happened.
 */
export const deletionMachine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: Context; events: DeletionEvent; input: { status: DeletionStatus } },
  guards: {
    mayAsk: ({ context }, act: Asked) => isPossible(act, context.status),
    endsForm: ({ context }, status: DeletionStatus) =>
      context.act !== undefined && !isPossible(context.act, status),
  },
}).createMachine({
  id: "deletion",
  context: ({ input }) => ({ status: input.status, act: undefined }),
  initial: "shown",
  states: {
    shown: {
      on: {
        ask: {
          guard: { type: "mayAsk", params: ({ event }) => event.act },
          target: "asking",
          actions: assign(({ event }) => ({ act: event.act })),
        },
        stands: { actions: assign(({ event }) => ({ status: event.status })) },
      },
    },
    asking: {
      on: {
        keep: { target: "shown", actions: assign({ act: undefined }) },
        stands: [
          {
            guard: { type: "endsForm", params: ({ event }) => event.status },
            target: "shown",
            actions: assign(({ event }) => ({ status: event.status, act: undefined })),
          },
          { actions: assign(({ event }) => ({ status: event.status })) },
        ],
      },
    },
  },
});
