import type { CheckoutDocument } from "@pro-talent/schemas/billing/consent-texts";
import { checkoutDocuments } from "@pro-talent/schemas/billing/consent-texts";
import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { assign, fromPromise, setup } from "xstate";

import type { Choice, Obstacle, Offer, Trouble } from "../billing-calls.ts";
import { type Order, order, type OrderResult, quote, type QuoteResult } from "./checkout-calls.ts";

export type CheckoutEvent =
  | { type: "choose"; choice: Choice }
  /** The tab is looked at again, or the person asks again after a failure. */
  | { type: "refresh" }
  | { type: "submit"; accepted: readonly CheckoutDocument[]; language: Locale };

type Agreement = { accepted: readonly CheckoutDocument[]; language: Locale };

type CheckoutContext = {
  choice: Choice;
  /** What is shown; only this is ever ordered. */
  offer: Offer | undefined;
  /** What was shown before, if the same choice now costs or does something else. */
  before: Offer | undefined;
  agreement: Agreement;
  /** Consents that were missing at the last press. */
  missing: readonly CheckoutDocument[];
  /** Number of refused presses; the summary takes focus at each. */
  refusals: number;
  trouble: Trouble | undefined;
  obstacle: Obstacle | undefined;
  /** Where it is paid. */
  url: string | undefined;
};

const missingFrom = (accepted: readonly CheckoutDocument[]): readonly CheckoutDocument[] =>
  checkoutDocuments.filter((document) => !accepted.includes(document));

const nothingAccepted: Agreement = { accepted: [], language: "en" };

const machine = setup({
  // oxlint-disable-next-line typescript/consistent-type-assertions, typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-assertion -- XState takes its types from an empty value
  types: {} as { context: CheckoutContext; events: CheckoutEvent; input: { choice: Choice } },
  actors: {
    quote: fromPromise<QuoteResult, Choice>(({ input }) => quote(input)),
    order: fromPromise<OrderResult, Order | undefined>(({ input }) => order(input)),
  },
  guards: {
    isOffer: (_, result: QuoteResult) => result.kind === "offer",
    isObstacle: (_, { kind }: QuoteResult | OrderResult) => kind === "obstacle",
    isChanged: (_, { kind }: OrderResult) => kind === "changed",
    isAccepted: (_, { kind }: OrderResult) => kind === "accepted",
    leaves: (_, { kind }: OrderResult) => kind === "leave",
    agreesToAll: (_, accepted: readonly CheckoutDocument[]) => missingFrom(accepted).length === 0,
  },
  actions: {
    choose: assign((_, choice: Choice) => ({
      choice,
      offer: undefined,
      before: undefined,
      missing: [],
      trouble: undefined,
    })),
    show: assign(({ context }, result: QuoteResult) => {
      if (result.kind !== "offer") return {};
      const { offer, before } = context;
      // Asked again and unchanged, it still shows what changed at the last time.
      const changed = offer !== undefined && offer.hash !== result.offer.hash ? offer : before;
      return { offer: result.offer, before: changed };
    }),
    block: assign((_, result: QuoteResult | OrderResult) => ({
      obstacle: result.kind === "obstacle" ? result.obstacle : undefined,
    })),
    agree: assign((_, agreement: Agreement) => ({
      agreement,
      missing: [],
      before: undefined,
      trouble: undefined,
    })),
    findMissing: assign(({ context }, accepted: readonly CheckoutDocument[]) => ({
      missing: missingFrom(accepted),
      refusals: context.refusals + 1,
      trouble: undefined,
    })),
    take: assign((_, result: OrderResult) => ({
      url: result.kind === "leave" ? result.url : undefined,
    })),
    renew: assign(({ context: { offer } }, result: OrderResult) =>
      offer === undefined || result.kind !== "refused"
        ? {}
        : { offer: { ...offer, key: result.key } },
    ),
    say: assign(({ context }, trouble: Trouble | undefined) => ({
      trouble,
      refusals: trouble === undefined ? context.refusals : context.refusals + 1,
    })),
  },
});

const quoting = machine.createStateConfig({
  invoke: {
    id: "quote",
    src: "quote",
    input: ({ context }) => context.choice,
    onDone: [
      {
        guard: { type: "isOffer", params: ({ event }) => event.output },
        target: "ready",
        actions: [
          { type: "show", params: ({ event }) => event.output },
          { type: "say", params: undefined },
        ],
      },
      {
        guard: { type: "isObstacle", params: ({ event }) => event.output },
        target: "blocked",
        actions: { type: "block", params: ({ event }) => event.output },
      },
      { target: "unquoted", actions: { type: "say", params: "failed" } },
    ],
    onError: { target: "unquoted", actions: { type: "say", params: "network" } },
  },
});

/** One order at a time: nothing is chosen or pressed meanwhile. */
const ordering = machine.createStateConfig({
  on: { choose: {}, submit: {}, refresh: {} },
  invoke: {
    id: "order",
    src: "order",
    input: ({ context: { choice, offer, agreement } }) =>
      offer && { choice, hash: offer.hash, key: offer.key, ...agreement },
    onDone: [
      {
        guard: { type: "leaves", params: ({ event }) => event.output },
        target: "leaving",
        actions: { type: "take", params: ({ event }) => event.output },
      },
      { guard: { type: "isAccepted", params: ({ event }) => event.output }, target: "accepted" },
      { guard: { type: "isChanged", params: ({ event }) => event.output }, target: "quoting" },
      {
        guard: { type: "isObstacle", params: ({ event }) => event.output },
        target: "blocked",
        actions: { type: "block", params: ({ event }) => event.output },
      },
      {
        target: "ready",
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
    onError: { target: "ready", actions: { type: "say", params: "network" } },
  },
});

/**
 * A checkout: what is chosen is quoted, what is quoted is shown, and only what is shown is ordered,
 * once and with all consents. A quote that has changed meanwhile is shown again before it can be
 * ordered.
 */
export const checkoutMachine = machine.createMachine({
  id: "checkout",
  context: ({ input: { choice } }) => ({
    choice,
    offer: undefined,
    before: undefined,
    agreement: nothingAccepted,
    missing: [],
    refusals: 0,
    trouble: undefined,
    obstacle: undefined,
    url: undefined,
  }),
  initial: "quoting",
  on: {
    choose: {
      target: ".quoting",
      reenter: true,
      actions: { type: "choose", params: ({ event }) => event.choice },
    },
  },
  states: {
    quoting,
    unquoted: { on: { refresh: "quoting" } },
    ready: {
      on: {
        refresh: "quoting",
        submit: [
          {
            guard: { type: "agreesToAll", params: ({ event }) => event.accepted },
            target: "ordering",
            actions: {
              type: "agree",
              params: ({ event: { accepted, language } }) => ({ accepted, language }),
            },
          },
          { actions: { type: "findMissing", params: ({ event }) => event.accepted } },
        ],
      },
    },
    ordering,
    leaving: { type: "final" },
    accepted: { type: "final" },
    blocked: { type: "final" },
  },
});
