import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { addCalls } from "@pro-talent/platform/http/add-calls";
import { parseBody } from "@pro-talent/platform/http/parse-body";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import {
  sandboxCalls,
  sandboxControls,
  sandboxKeyHours,
  sandboxProblems,
  sandboxTimeHeader,
} from "@pro-talent/schemas/payments-sandbox/calls";
import { SandboxKey } from "@pro-talent/schemas/payments-sandbox/objects";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { CardName, type Journal, type Tables } from "./journal.ts";
import { cardNamed, type Provider } from "./provider.ts";
import type { Webhooks } from "./webhooks.ts";

export type SandboxParts = {
  readonly journal: Journal;
  readonly provider: Provider;
  readonly webhooks: Webhooks;
  readonly clock: Clock;
  /** How late a slow answer is. */
  readonly slowMs: number;
};

type Fault = "answer-lost" | "slow";
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

type Change = <Answer>(
  exchange: Exchange,
  contract: z.ZodType<Answer>,
  change: (tables: Tables, key: string) => unknown,
  faultOf?: (tables: Tables) => Fault | undefined,
) => Promise<Answer>;

/** The provider's interface and the controls for tests; both need the secret key. */
export function addSandboxRoutes(app: FastifyInstance, parts: SandboxParts): void {
  let nextFault: Fault | undefined;
  addInterface(app, parts, async (exchange, contract, change, faultOf) => {
    const once = onceByKey(parts.clock, exchange.request, change);
    const { answer, problem, fault } = await parts.journal.run((tables) => {
      const result = once(tables);
      return { ...result, fault: result.isFirst ? faultOf?.(tables) : undefined };
    });
    const asked = nextFault;
    nextFault = undefined;
    await applyFault(asked ?? fault, exchange, parts.slowMs);
    if (problem !== null) throw new ProblemError(sandboxProblems[StoredProblem.parse(problem)]);
    return contract.parse(answer);
  });
  addControls(app, parts, (fault) => {
    nextFault = fault;
  });
}

function addInterface(
  app: FastifyInstance,
  { journal, provider }: SandboxParts,
  changing: Change,
): void {
  const at = (exchange: Exchange): Provider => providerAt(provider, exchange);
  addCalls(app, sandboxCalls, {
    "POST /sandbox-payments/v1/checkouts": ({ body }, exchange) =>
      changing(
        exchange,
        sandboxCalls["POST /sandbox-payments/v1/checkouts"].answer,
        (tables, key) => at(exchange).openCheckout(tables, { ...body, key }),
      ),
    "GET /sandbox-payments/v1/checkouts/:id": ({ params }, exchange) =>
      journal.run((tables) => at(exchange).checkout(tables, params.id)),
    "POST /sandbox-payments/v1/payments": ({ body }, exchange) =>
      changing(
        exchange,
        sandboxCalls["POST /sandbox-payments/v1/payments"].answer,
        (tables, key) => at(exchange).charge(tables, { ...body, key }),
        (tables) => {
          const card = tables.cards.get(body.accountId);
          return card && cardNamed(card.name).answer;
        },
      ),
    "GET /sandbox-payments/v1/payments": ({ query }) =>
      journal.run((tables) => {
        const found = tables.payments.find(({ key }) => key === query.key);
        return { payment: found ? provider.payment(tables, found[0]) : null };
      }),
    "GET /sandbox-payments/v1/payments/:id": ({ params }) =>
      journal.run((tables) => provider.payment(tables, params.id)),
    "POST /sandbox-payments/v1/refunds": ({ body }, exchange) =>
      changing(exchange, sandboxCalls["POST /sandbox-payments/v1/refunds"].answer, (tables, key) =>
        at(exchange).refund(tables, { ...body, key }),
      ),
    "GET /sandbox-payments/v1/refunds": ({ query }) =>
      journal.run((tables) => {
        const found = tables.refunds.find(({ key }) => key === query.key);
        return { refund: found ? { refundId: found[0], ...found[1] } : null };
      }),
    "GET /sandbox-payments/v1/customers/:id": ({ params }) =>
      journal.run((tables) => ({ card: provider.card(tables, params.id) })),
    "DELETE /sandbox-payments/v1/customers/:id": ({ params }) =>
      journal.run((tables) => ({ deleted: tables.cards.delete(params.id) })),
  });
}

const Press = z.object({ card: CardName });

/** At the time that a request states, which only the demo's past does. */
function providerAt(provider: Provider, { request }: Pick<Exchange, "request">): Provider {
  const { [sandboxTimeHeader]: stated } = request.headers;
  return stated === undefined ? provider : provider.at(z.coerce.number().int().parse(stated));
}

function addControls(
  app: FastifyInstance,
  { journal, provider, webhooks }: SandboxParts,
  setFault: (fault: Fault) => void,
): void {
  addCalls(app, sandboxControls, {
    "POST /sandbox-payments/test/cards": ({ body }, exchange) =>
      journal.run((tables) => {
        const [at, { card }] = [providerAt(provider, exchange), parseBody(Press, body)];
        at.press(tables, body.checkoutId, card);
        return at.checkout(tables, body.checkoutId);
      }),
    "POST /sandbox-payments/test/disputes": ({ body: { paymentId, status } }) =>
      journal.run((tables) => {
        provider.dispute(tables, paymentId, status);
        return provider.payment(tables, paymentId);
      }),
    "POST /sandbox-payments/test/faults": async ({ body }) => {
      setFault(body.fault);
      return {};
    },
    "POST /sandbox-payments/test/webhooks": async ({ body }) => ({
      sent: body.hold ? webhooks.hold() : await webhooks.release(body),
    }),
    "GET /sandbox-payments/test/payments": () =>
      journal.run((tables) => ({
        payments: tables.payments.entries().map(([id]) => provider.payment(tables, id)),
      })),
  });
}

const StoredProblem = z.enum([
  "sandbox_no_card",
  "sandbox_payment_unknown",
  "sandbox_not_refundable",
]);

/**
 * Repeats the first answer under a key for a day, a refusal too; a request with other parameters is
 * refused. The key is forgotten afterwards, as providers do.
 * @throws ProblemError `sandbox_key_missing`; what it returns, `sandbox_key_reused`
 */
function onceByKey(
  clock: Clock,
  request: FastifyRequest,
  change: (tables: Tables, key: string) => unknown,
): (tables: Tables) => { answer: unknown; problem: string | null; isFirst: boolean } {
  const parsed = SandboxKey.safeParse(request.headers["idempotency-key"]);
  if (!parsed.success) throw new ProblemError(sandboxProblems.sandbox_key_missing);
  const key = parsed.data;
  const text = `${request.method} ${request.url} ${JSON.stringify(request.body)}`;
  const digest = createHash("sha256").update(text).digest("base64url");
  return (tables) => {
    const stored = tables.answers.get(key);
    if (stored !== undefined && clock() - stored.atMs < sandboxKeyHours * 3_600_000) {
      if (stored.request === digest) return { ...stored, isFirst: false };
      throw new ProblemError(sandboxProblems.sandbox_key_reused);
    }
    const result = answerOf(() => change(tables, key));
    tables.answers.set(key, { request: digest, atMs: clock(), ...result });
    return { ...result, isFirst: true };
  };
}

function answerOf(change: () => unknown): { answer: unknown; problem: string | null } {
  try {
    return { answer: change(), problem: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { answer: null, problem: error.code };
  }
}

/** The change has had its effect; only its answer is lost or late. */
async function applyFault(
  fault: Fault | undefined,
  { request, reply }: Exchange,
  slowMs: number,
): Promise<void> {
  if (fault === "slow") await delay(slowMs);
  if (fault !== "answer-lost") return;
  reply.hijack();
  request.raw.destroy();
}
