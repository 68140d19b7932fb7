import { assign, fromPromise, setup } from "xstate";

import { accountApi } from "../../../api-client/account-api.ts";

export type Answer =
  | { kind: "open"; url: string | null }
  | { kind: "completed" | "expired" | "refunded" | "unknown" | "failed" };

/** Where a checkout is. @throws TypeError when there is no answer */
async function ask(checkoutId: string): Promise<Answer> {
  const input = { params: { checkoutId } };
  const result = await accountApi().call("GET /api/checkout/:checkoutId", input);
  if (!result.ok) return { kind: result.code === "not_found" ? "unknown" : "failed" };
  const { answer } = result;
  if (answer === undefined) return { kind: "failed" };
  return answer.status === "open" ? { kind: "open", url: answer.url } : { kind: answer.status };
}

/** The provider reports within seconds; after so many questions the page offers ways to go on. */
export const quickQuestions = 5;
const quickMs = 1500;
const slowMs = 10_000;

type ReturnContext = {
  checkoutId: string;
  /** Where an open payment goes on. */
  url: string | null;
  /** How often it was asked without a final answer. */
  asked: number;
};

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as {
    context: ReturnContext;
    events: { type: "again" };
    input: { checkoutId: string };
  },
  actors: { ask: fromPromise<Answer, string>(({ input }) => ask(input)) },
  guards: {
    is: (_, { answer, kind }: { answer: Answer; kind: Answer["kind"] }) => answer.kind === kind,
  },
  actions: {
    note: assign(({ context }, answer: Answer | undefined) => ({
      asked: context.asked + 1,
      url: answer?.kind === "open" ? answer.url : context.url,
    })),
  },
  delays: { pause: ({ context }) => (context.asked < quickQuestions ? quickMs : slowMs) },
});

const asking = machine.createStateConfig({
  invoke: {
    id: "ask",
    src: "ask",
    input: ({ context }) => context.checkoutId,
    onDone: [
      ...(["completed", "expired", "refunded", "unknown"] as const).map((kind) => ({
        guard: {
          type: "is" as const,
          params: ({ event }: { event: { output: Answer } }) => ({ answer: event.output, kind }),
        },
        target: kind,
      })),
      {
        guard: { type: "is", params: ({ event }) => ({ answer: event.output, kind: "open" }) },
        target: "open",
        actions: { type: "note", params: ({ event }) => event.output },
      },
      { target: "unreached", actions: { type: "note", params: undefined } },
    ],
    onError: { target: "unreached", actions: { type: "note", params: undefined } },
  },
});

const waiting = { on: { again: "asking" }, after: { pause: "asking" } } as const;

/**
 * The return from the provider's page. The address says which checkout it was, never how it ended:
 * that is asked until the provider has reported it.
 */
export const returnMachine = machine.createMachine({
  id: "return",
  context: ({ input: { checkoutId } }) => ({ checkoutId, url: null, asked: 0 }),
  initial: "asking",
  states: {
    asking,
    open: waiting,
    unreached: waiting,
    completed: { type: "final" },
    expired: { type: "final" },
    refunded: { type: "final" },
    unknown: { type: "final" },
  },
});
