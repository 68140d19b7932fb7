import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { signWebhook } from "@pro-talent/platform/crypto/webhook-signature";

import { freshId, known, type Parameters, StripeMachine } from "./stripe-machine.ts";
import { refuse, StripeRefusal } from "./stripe-refusal.ts";

type Stored = { readonly id: string; readonly created: number; readonly metadata?: unknown };
type First = { readonly request: string; readonly atSeconds: number; readonly answer: Answer };
type Answer = { readonly status: number; readonly body: object };

/** What an answer contains, to be checked against Stripe's published description. */
export type OnAnswer = (object: object) => void;

/** Search does not find what was made in the last minute. */
const indexLagSeconds = 60;

/**
 * A server that answers like Stripe, as far as billing asks: form bodies, keys of 24 hours, expansion, a
 * search index that lags behind, signed webhooks. Its objects have the types of Stripe's own package.
 */
export async function startStripeServer(options: {
  nowMs: () => number;
  webhookUrl: string;
  webhookSecret: string;
  onAnswer?: OnAnswer;
}): Promise<{
  port: number;
  machine: StripeMachine;
  loseNextAnswer: () => void;
  failNext: (status: number) => void;
  hold: () => void;
  release: (order: { reverse: boolean; copies: number }) => Promise<void>;
  close: () => Promise<void>;
}> {
  const nowSeconds = (): number => Math.floor(options.nowMs() / 1000);
  const waiting: string[] = [];
  let sending: Promise<unknown> = Promise.resolve();
  let held = false;
  let lose = 0;
  let fail: number | undefined;
  const machine = new StripeMachine(nowSeconds, (type, object) => {
    const event = eventObject(type, object, nowSeconds());
    options.onAnswer?.(event);
    waiting.push(JSON.stringify(event));
    if (!held) sending = sending.then(() => sendAll({ reverse: false, copies: 1 }));
  });
  const sendAll = async (order: { reverse: boolean; copies: number }): Promise<void> => {
    const bodies = waiting.splice(0);
    for (const body of order.reverse ? bodies.toReversed() : bodies) {
      for (let copy = 0; copy < order.copies; copy += 1) {
        const signature = signWebhook(options.webhookSecret, body, nowSeconds());
        const headers = { "stripe-signature": signature };
        await fetch(options.webhookUrl, { method: "POST", headers, body });
      }
    }
  };
  const keys = new Map<string, First>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    machine.settle();
    const failure = fail;
    fail = undefined;
    const answer =
      failure === undefined
        ? answerOnce(keys, nowSeconds(), request, { body, machine })
        : { status: failure, body: { error: { type: "api_error" } } };
    options.onAnswer?.(answer.body);
    if (lose > 0 && request.method === "POST") {
      lose -= 1;
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    port: address.port,
    machine,
    loseNextAnswer: () => {
      // The package itself repeats a request once whose connection was closed.
      lose = 2;
    },
    failNext: (status) => {
      fail = status;
    },
    hold: () => {
      held = true;
    },
    release: async (order) => {
      held = false;
      await sending;
      await sendAll(order);
    },
    close: async () => {
      await sending;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function eventObject(type: string, object: object, created: number): object {
  return {
    id: freshId("evt"),
    object: "event",
    api_version: "2026-10-28.endive",
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

/** The first answer under a key is repeated for a day, a refusal too. */
function answerOnce(
  keys: Map<string, First>,
  atSeconds: number,
  { method = "", url = "", headers }: IncomingMessage,
  { body, machine }: { body: string; machine: StripeMachine },
): Answer {
  const key = headers["idempotency-key"];
  const { pathname, searchParams } = new URL(url, "http://stripe");
  const parameters: Parameters = new Map([...searchParams, ...new URLSearchParams(body)]);
  const request = `${method} ${pathname} ${body}`;
  const first = typeof key === "string" && method === "POST" ? keys.get(key) : undefined;
  if (first && atSeconds - first.atSeconds < 24 * 3600) {
    const other = new StripeRefusal(400, { type: "idempotency_error" });
    return first.request === request ? first.answer : other;
  }
  const answer = answerOf(machine, `${method} ${pathname}`, parameters, atSeconds);
  if (typeof key === "string" && method === "POST") keys.set(key, { request, atSeconds, answer });
  return answer;
}

function answerOf(
  machine: StripeMachine,
  call: string,
  parameters: Parameters,
  nowSeconds: number,
): Answer {
  try {
    const body = route(machine, call, parameters, nowSeconds);
    const paths = [...parameters].flatMap(([name, value]) =>
      name.startsWith("expand[") ? [value.split(".")] : [],
    );
    const copy: unknown = structuredClone(body);
    for (const path of paths) expand(machine, copy, path);
    return { status: 200, body: typeof copy === "object" && copy !== null ? copy : {} };
  } catch (error) {
    if (error instanceof StripeRefusal) return error;
    throw error;
  }
}

function route(
  machine: StripeMachine,
  call: string,
  parameters: Parameters,
  nowSeconds: number,
): object {
  const id = call.split("/")[call.includes("/checkout/") ? 4 : 3] ?? "";
  const listed = (objects: Iterable<Stored>): object => listObject(objects, parameters);
  const searched = (objects: Iterable<Stored>): object =>
    searchObject(objects, parameters, nowSeconds);
  const routes: Readonly<Record<string, () => object>> = {
    "POST /v1/customers": () => machine.createCustomer(parameters),
    "GET /v1/customers": () => listed(machine.customers.values()),
    "GET /v1/customers/search": () => searched(machine.customers.values()),
    [`DELETE /v1/customers/${id}`]: () => {
      known(machine.customers, id);
      machine.customers.delete(id);
      return { id, object: "customer", deleted: true };
    },
    [`GET /v1/customers/${id}/payment_methods`]: () =>
      listed([...machine.methods.values()].filter(({ customer }) => customer === id)),
    "POST /v1/checkout/sessions": () => machine.createSession(parameters),
    [`GET /v1/checkout/sessions/${id}`]: () => known(machine.sessions, id),
    // Before the search, which has an address of the same form.
    [`GET /v1/payment_intents/${id}`]: () => known(machine.intents, id),
    "POST /v1/payment_intents": () => machine.createIntent(parameters),
    "GET /v1/payment_intents": () => listed(machine.intents.values()),
    "GET /v1/payment_intents/search": () => searched(machine.intents.values()),
    [`POST /v1/payment_intents/${id}/confirm`]: () => machine.confirmIntent(id, parameters),
    "POST /v1/refunds": () => machine.createRefund(parameters),
    "GET /v1/refunds": () => listed(ofIntent(machine.refunds.values(), parameters)),
    "GET /v1/disputes": () => listed(ofIntent(machine.disputes.values(), parameters)),
  };
  return (routes[call] ?? (() => refuse(404, "url_invalid")))();
}

function ofIntent<Object extends { payment_intent: unknown }>(
  objects: Iterable<Object>,
  parameters: Parameters,
): Object[] {
  const wanted = parameters.get("payment_intent");
  return [...objects].filter(({ payment_intent: own }) => wanted === undefined || own === wanted);
}

/** Newest first, from a time on, after an object; pages as the caller asks. */
function listObject(objects: Iterable<Stored>, parameters: Parameters): object {
  const since = Number(parameters.get("created[gte]") ?? 0);
  const limit = Number(parameters.get("limit") ?? 10);
  const after = parameters.get("starting_after");
  const all = [...objects].toReversed().filter(({ created }) => created >= since);
  const rest = all.slice(all.findIndex(({ id }) => id === after) + 1);
  return { object: "list", data: rest.slice(0, limit), has_more: rest.length > limit, url: "/v1" };
}

function searchObject(
  objects: Iterable<Stored>,
  parameters: Parameters,
  nowSeconds: number,
): object {
  const [, name = "", value] =
    /^metadata\["(\w+)"\]:"(.*)"$/.exec(parameters.get("query") ?? "") ??
    refuse(400, "search_query_invalid");
  const data = [...objects]
    .toReversed()
    .filter(({ metadata }) =>
      Object.entries(metadata ?? {}).some(([n, v]) => n === name && v === value),
    )
    .filter(({ created }) => created + indexLagSeconds <= nowSeconds);
  return { object: "search_result", data, has_more: false, next_page: null, url: "/v1/search" };
}

/** Replaces the id at a path by its object. */
function expand(
  machine: StripeMachine,
  value: unknown,
  [name = "", ...rest]: readonly string[],
): void {
  if (Array.isArray(value)) return value.forEach((item) => expand(machine, item, [name, ...rest]));
  if (typeof value !== "object" || value === null || !(name in value)) return undefined;
  const current: unknown = Reflect.get(value, name);
  const { charges, intents, methods, setups } = machine;
  const found =
    typeof current === "string"
      ? (charges.get(current) ??
        intents.get(current) ??
        methods.get(current) ??
        setups.get(current))
      : current;
  const next: unknown = structuredClone(found);
  Reflect.set(value, name, next);
  if (rest.length > 0) expand(machine, next, rest);
  return undefined;
}
