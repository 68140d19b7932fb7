import { assign, fromPromise, setup } from "xstate";

import { siteApi } from "../../api-client/request.ts";
import type { CallAnswer } from "../../api-client/request.ts";

export type OwnData = CallAnswer<"POST /api/analytics/visitor/data">;
type Asked = { anonymousId: string };

/** @throws when it was refused or not answered */
async function read({ anonymousId }: Asked): Promise<OwnData> {
  const result = await siteApi().call("POST /api/analytics/visitor/data", {
    body: { anonymousId },
  });
  if (!result.ok || result.answer === undefined) throw new Error("not read");
  return result.answer;
}

/** @returns true once it is acknowledged @throws as `read` */
async function erase({ anonymousId }: Asked): Promise<true> {
  const result = await siteApi().call("POST /api/analytics/visitor/erasure", {
    body: { anonymousId },
  });
  if (!result.ok) throw new Error("not acknowledged");
  return true;
}

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: Asked & { data: OwnData | undefined };
    events: { type: "show" } | { type: "erase" } | { type: "keep" } | { type: "confirm" };
    input: Asked;
  },
  actors: {
    read: fromPromise<OwnData, Asked>(({ input }) => read(input)),
    erase: fromPromise<true, Asked>(({ input }) => erase(input)),
  },
});

/** What a visitor without an account sees and erases of what was collected in this browser. */
export const ownDataMachine = machine.createMachine({
  id: "own-data",
  context: ({ input }) => ({ ...input, data: undefined }),
  initial: "closed",
  states: {
    closed: { on: { show: "reading", erase: "asking" } },
    reading: {
      invoke: {
        src: "read",
        input: ({ context }) => context,
        onDone: { target: "shown", actions: assign(({ event }) => ({ data: event.output })) },
        onError: "unread",
      },
    },
    unread: { on: { show: "reading", erase: "asking" } },
    shown: { on: { erase: "asking" } },
    asking: {
      on: {
        keep: [
          { guard: ({ context }) => context.data !== undefined, target: "shown" },
          { target: "closed" },
        ],
        confirm: "erasing",
      },
    },
    erasing: {
      invoke: {
        src: "erase",
        input: ({ context }) => context,
        onDone: "erased",
        onError: "unerased",
      },
    },
    unerased: { on: { confirm: "erasing", keep: "closed" } },
    erased: { type: "final" },
  },
});
