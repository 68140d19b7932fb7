import { refuseWebhook } from "@pro-talent/platform/crypto/webhook-signature";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import { sandboxCalls, sandboxTimeHeader } from "@pro-talent/schemas/payments-sandbox/calls";
import { SandboxEvent, sandboxSignatureHeader } from "@pro-talent/schemas/payments-sandbox/objects";
import { Problem } from "@pro-talent/schemas/primitives/problem";
import type { z } from "zod";

import {
  type HintRefusal,
  type PaymentProvider,
  PaymentRefused,
  type PaymentState,
  PaymentUncertain,
  type ProviderHint,
  requireSameAmount,
} from "./port.ts";

export type SandboxOptions = {
  /** Where it answers, as in `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly key: string;
  readonly webhookSecret: string;
  readonly answerWithinMs?: number;
  /** States when requests happen, in milliseconds since 1970: in the demo's past, not now. */
  readonly clock?: Clock;
};
type Request = { readonly method: "GET" | "POST" | "DELETE"; readonly path: string } & {
  readonly key?: string;
  readonly body?: object;
};

type Client = {
  /** @returns undefined for 404 */
  readonly call: <Answer>(
    contract: z.ZodType<Answer>,
    request: Request,
  ) => Promise<Answer | undefined>;
  readonly must: <Answer>(contract: z.ZodType<Answer>, request: Request) => Promise<Answer>;
};

/** Both throw PaymentUncertain and PaymentRefused. */
function clientOf(options: SandboxOptions): Client {
  const call: Client["call"] = async (contract, request) => {
    const { status, body } = await exchange(options, request);
    if (status === 404) return undefined;
    if (status === 200) return contract.parse(body);
    throw new PaymentRefused(Problem.safeParse(body).data?.code ?? `status ${status}`);
  };
  return {
    call,
    must: async (contract, request) => {
      const answer = await call(contract, request);
      if (answer === undefined) throw new PaymentRefused(`not found: ${request.path}`);
      return answer;
    },
  };
}

/** Payments at the sandbox, over HTTP. */
export function sandboxPayments(options: SandboxOptions): PaymentProvider {
  const { call, must } = clientOf(options);
  const findPayment: PaymentProvider["findPayment"] = async (by) => {
    if ("paymentId" in by) {
      const path = `/payments/${encodeURIComponent(by.paymentId)}`;
      return call(sandboxCalls["GET /sandbox-payments/v1/payments/:id"].answer, {
        method: "GET",
        path,
      });
    }
    const path = `/payments?key=${encodeURIComponent(by.key)}`;
    const { answer } = sandboxCalls["GET /sandbox-payments/v1/payments"];
    const found = await must(answer, { method: "GET", path });
    return found.payment ?? undefined;
  };
  const findRefund: PaymentProvider["findRefund"] = async (key) => {
    const path = `/refunds?key=${encodeURIComponent(key)}`;
    const { answer } = sandboxCalls["GET /sandbox-payments/v1/refunds"];
    return (await must(answer, { method: "GET", path })).refund ?? undefined;
  };

  return {
    name: "sandbox",
    openCheckout: ({ key, ...body }) => {
      const { answer } = sandboxCalls["POST /sandbox-payments/v1/checkouts"];
      return must(answer, { method: "POST", path: "/checkouts", key, body });
    },
    findCheckout: (checkoutId) => {
      const path = `/checkouts/${encodeURIComponent(checkoutId)}`;
      const { answer } = sandboxCalls["GET /sandbox-payments/v1/checkouts/:id"];
      return call(answer, { method: "GET", path });
    },
    findCard: async (accountId) => {
      const path = `/customers/${encodeURIComponent(accountId)}`;
      const { answer } = sandboxCalls["GET /sandbox-payments/v1/customers/:id"];
      return (await must(answer, { method: "GET", path })).card ?? undefined;
    },
    charge: async ({ key, ...body }): Promise<PaymentState> => {
      // The provider forgets a key after a day: what was done under it is looked up first.
      const earlier = await findPayment({ key });
      if (earlier) return requireSameAmount(earlier, body.amount);
      const { answer } = sandboxCalls["POST /sandbox-payments/v1/payments"];
      return must(answer, { method: "POST", path: "/payments", key, body });
    },
    findPayment,
    refund: async ({ key, ...body }) => {
      const earlier = await findRefund(key);
      if (earlier) return requireSameAmount(earlier, body.amount);
      const { answer } = sandboxCalls["POST /sandbox-payments/v1/refunds"];
      return must(answer, { method: "POST", path: "/refunds", key, body });
    },
    findRefund,
    forget: async (accountId) => {
      const path = `/customers/${encodeURIComponent(accountId)}`;
      const { answer } = sandboxCalls["DELETE /sandbox-payments/v1/customers/:id"];
      await must(answer, { method: "DELETE", path });
    },
    readHint: ({ [sandboxSignatureHeader]: signature }, body, nowMs) =>
      refuseWebhook(options.webhookSecret, signature, body, nowMs) ?? hintOf(body),
  };
}

function hintOf(body: Buffer): ProviderHint | HintRefusal {
  const json = parsedJson(body);
  if (typeof json === "object" && json !== null && "environment" in json) {
    if (json.environment !== "sandbox") return "environment";
  }
  const event = SandboxEvent.safeParse(json);
  if (!event.success) return "malformed";
  const { eventId, checkoutId, paymentId } = event.data;
  if (checkoutId !== null) return { eventId, about: { kind: "checkout", checkoutId } };
  if (paymentId !== null) return { eventId, about: { kind: "payment", paymentId } };
  return { eventId, about: { kind: "other" } };
}

function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** @throws PaymentUncertain without a whole answer in time, or for a fault of the provider */
async function exchange(
  { url, key: secret, answerWithinMs = 15_000, clock }: SandboxOptions,
  { method, path, key, body }: Request,
): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(`${url}/sandbox-payments/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(key !== undefined && { "idempotency-key": key }),
        ...(clock && { [sandboxTimeHeader]: String(clock()) }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerWithinMs),
      redirect: "error",
    });
    const answered: unknown = await answer.json();
    if (answer.status < 500) return { status: answer.status, body: answered };
  } catch (cause) {
    throw new PaymentUncertain(`${method} ${path} was not answered`, { cause });
  }
  throw new PaymentUncertain(`${method} ${path} failed at the provider`);
}
