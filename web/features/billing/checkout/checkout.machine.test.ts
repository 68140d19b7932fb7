import { checkoutDocuments } from "@pro-talent/schemas/billing/consent-texts";
import { PlanChoice, Quote, type QuoteOf } from "@pro-talent/schemas/billing/quotes";
import { describe, expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";

import { serializeEvent } from "../../../e2e/machine-paths.ts";
import type { Offer } from "../billing-calls.ts";
import type { Order, OrderResult, QuoteResult } from "./checkout-calls.ts";
import { type CheckoutEvent, checkoutMachine } from "./checkout.machine.ts";

const premium = PlanChoice.parse({ plan: "premium", cycle: "monthly" });
const essential = PlanChoice.parse({ plan: "essential", cycle: "annual" });
const input = { choice: premium };

function startQuote(amount: number): QuoteOf<"start"> {
  const parsed = Quote.parse({
    act: "start",
    price: { ...premium, amount, currency: "USD", version: "2026-01" },
    place: { anchor: "2026-03-10", months: 0, cycle: "monthly" },
    terms: { lines: [], total: amount, currency: "USD", taxes: [] },
    zone: "Asia/Jerusalem",
    refundUntil: "2026-03-24T21:59:59.999Z",
    lastRefundDay: "2026-03-24",
    next: null,
  });
  if (parsed.act !== "start") throw new Error("not a start");
  return parsed;
}
const offerOf = (amount: number): Offer => ({
  quote: startQuote(amount),
  hash: String(amount),
  key: `key-${amount}`,
});
const offered = (amount: number): QuoteResult => ({ kind: "offer", offer: offerOf(amount) });

const agree: CheckoutEvent = { type: "submit", accepted: checkoutDocuments, language: "he" };
const forget: CheckoutEvent = { type: "submit", accepted: ["terms"], language: "he" };
const leave: OrderResult = { kind: "leave", url: "/pay" };
const refused: OrderResult = { kind: "refused", trouble: "unavailable", key: "key-9" };

function checkout(quotes: QuoteResult[], orders: (OrderResult | TypeError)[]) {
  const received: Order[] = [];
  const actors = {
    quote: fromPromise<QuoteResult, PlanChoice>(() =>
      Promise.resolve(quotes.shift() ?? { kind: "failed" }),
    ),
    order: fromPromise<OrderResult, Order | undefined>(({ input: given }) => {
      if (given !== undefined) received.push(given);
      const answer = orders.shift() ?? new TypeError("offline");
      return answer instanceof TypeError ? Promise.reject(answer) : Promise.resolve(answer);
    }),
  };
  const actor = createActor(checkoutMachine.provide({ actors }), { input }).start();
  return { actor, received };
}
const settled = (actor: ReturnType<typeof checkout>["actor"]) =>
  waitFor(actor, ({ value }) => value !== "quoting" && value !== "ordering");

describe("a checkout", () => {
  test("orders once, however often the button is pressed", async () => {
    const { actor, received } = checkout([offered(2000)], [leave]);
    await settled(actor);
    for (const event of [agree, agree, { type: "choose", choice: essential } as const, agree])
      actor.send(event);
    expect((await settled(actor)).context.url).toBe("/pay");
    const order = { choice: premium, hash: "2000", key: "key-2000", language: "he" };
    expect(received).toEqual([{ ...order, accepted: checkoutDocuments }]);
  });

  test("asks for every consent before anything is sent", async () => {
    const { actor, received } = checkout([offered(2000)], []);
    await settled(actor);
    actor.send(forget);
    const { value, context } = actor.getSnapshot();
    expect([value, context.missing]).toEqual(["ready", ["auto-renewal", "privacy"]]);
    expect(received).toEqual([]);
  });

  test("shows a quote that has changed meanwhile, and orders it only when asked again", async () => {
    const { actor, received } = checkout(
      [offered(2000), offered(2500)],
      [{ kind: "changed" }, leave],
    );
    await settled(actor);
    actor.send(agree);
    const { value, context } = await settled(actor);
    expect([value, context.before?.hash, context.offer?.hash]).toEqual(["ready", "2000", "2500"]);
    actor.send(agree);
    await settled(actor);
    expect(received.map(({ hash }) => hash)).toEqual(["2000", "2500"]);
  });

  test("repeats a lost order under its key, and a refused one under another", async () => {
    const lost = new TypeError("offline");
    const { actor, received } = checkout([offered(2000)], [lost, refused, leave]);
    for (let press = 0; press < 3; press += 1) {
      await settled(actor);
      actor.send(agree);
    }
    await settled(actor);
    expect(received.map(({ key }) => key)).toEqual(["key-2000", "key-2000", "key-9"]);
  });

  test.each(["closed", "subscribed", "parked"] as const)("ends when it is %s", async (obstacle) => {
    const { actor } = checkout([{ kind: "obstacle", obstacle }], []);
    const { value, context } = await settled(actor);
    expect([value, context.obstacle]).toEqual(["blocked", obstacle]);
  });
});

describe("every way through a checkout", () => {
  const orders = [
    leave,
    refused,
    { kind: "accepted" },
    { kind: "changed" },
    { kind: "obstacle", obstacle: "subscribed" },
  ];
  const quotes = [
    offered(2000),
    offered(2500),
    { kind: "failed" },
    { kind: "obstacle", obstacle: "closed" },
  ];
  const events = [
    agree,
    forget,
    { type: "choose", choice: essential },
    { type: "refresh" },
    ...quotes.map((output) => ({ type: "xstate.done.actor.quote", output })),
    ...orders.map((output) => ({ type: "xstate.done.actor.order", output })),
    ...["quote", "order"].map((call) => ({
      type: `xstate.error.actor.${call}`,
      error: new TypeError("offline"),
    })),
  ];
  const paths = getShortestPaths(checkoutMachine, {
    input,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server's answers are XState's own events, outside of the machine's type
    events: events as never[],
    serializeEvent,
    // The number of refusals has no end; which there were does not matter.
    serializeState: ({ value, context }) => JSON.stringify([value, { ...context, refusals: 0 }]),
  });

  test("reaches every state there is", () => {
    expect(new Set(paths.map(({ state }) => state.value))).toEqual(
      new Set(Object.keys(checkoutMachine.states)),
    );
  });

  test("orders only what is shown at that moment, with all consents, and one at a time", () => {
    const begun = paths.flatMap(({ steps }) =>
      steps.flatMap(({ state, event }, index) =>
        state.value === "ordering" ? [{ state, event, shown: steps[index - 1]?.state }] : [],
      ),
    );
    const pressed = begun.filter(({ shown }) => shown?.value !== "ordering");
    expect(pressed.length).toBeGreaterThan(0);
    for (const { state, event, shown } of pressed) {
      expect([event.type, shown?.value]).toEqual(["submit", "ready"]);
      expect(state.context.offer).toEqual(shown?.context.offer);
      expect(state.context.agreement.accepted).toEqual(checkoutDocuments);
    }
    // While one is under way nothing but its answer counts.
    const stayed = begun.filter(({ shown }) => shown?.value === "ordering");
    expect(stayed.filter(({ event }) => event.type.startsWith("xstate"))).toEqual([]);
  });
});
