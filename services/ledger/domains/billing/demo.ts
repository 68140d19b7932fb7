import { checkoutCalls, subscriptionCalls } from "@pro-talent/schemas/billing/calls";
import { checkoutDocuments, checkoutTextsVersion } from "@pro-talent/schemas/billing/consent-texts";
import type { PlanChoice } from "@pro-talent/schemas/billing/quotes";
import {
  type sandboxControls,
  sandboxTimeHeader,
} from "@pro-talent/schemas/payments-sandbox/calls";
import type { TestCardName } from "@pro-talent/schemas/payments-sandbox/cards";
import { z } from "zod";

/** An account holder whose past is invented: calls as the browser makes them, and time between them. */
export type PastHolder = {
  /** @returns the body of the answer @throws for a refusal */
  readonly call: (name: string, body?: object) => Promise<unknown>;
  /** Goes on to a time, in milliseconds since 1970; what falls due before it happens then. */
  readonly until: (ms: number) => Promise<void>;
  readonly nowMs: () => number;
};

/** How the controls of the sandbox are reached. */
type SandboxAccess = { readonly url: string; readonly key: string };

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = dayMs / 24;
const language = "en";

/**
 * Six months of a subscription: bought for a year by mistake and withdrawn from, then monthly, an upgrade,
 * renewals with their reminders, a renewal that failed, and a new card.
 */
export async function playSubscription(holder: PastHolder, sandbox: SandboxAccess): Promise<void> {
  const openedMs = holder.nowMs();
  const { until } = holder;
  await until(openedMs + dayMs);
  await buy(holder, sandbox, { plan: "essential", cycle: "annual" });
  await until(openedMs + 2 * dayMs + 3 * hourMs);
  await cancel(holder);
  await until(openedMs + 14 * dayMs);
  await buy(holder, sandbox, { plan: "essential", cycle: "monthly" });
  const firstRenewal = await periodEnd(holder);
  await until(firstRenewal + 11 * dayMs);
  await change(holder, { plan: "premium", cycle: "monthly" });
  await until(await periodEnd(holder));
  await until(holder.nowMs() + dayMs);
  const failing = await periodEnd(holder);
  await until(failing - 12 * dayMs);
  await storeCard(holder, sandbox, "no-funds-later");
  await until(failing + 2 * dayMs + 8 * hourMs);
  await storeCard(holder, sandbox, "success");
}

/** The end of the period that is paid. */
async function periodEnd({ call }: PastHolder): Promise<number> {
  const { answer } = subscriptionCalls["GET /api/subscription"];
  const { periodTo } = answer.parse(await call("GET /api/subscription"));
  if (periodTo === null) throw new Error("The demo's owner has no subscription");
  return Date.parse(`${periodTo}T12:00:00Z`);
}

async function buy(holder: PastHolder, sandbox: SandboxAccess, choice: PlanChoice): Promise<void> {
  const quoted = checkoutCalls["POST /api/checkout/quote"].answer;
  const { hash } = quoted.parse(await holder.call("POST /api/checkout/quote", choice));
  const consents = checkoutDocuments.map((document) => {
    return { document, version: checkoutTextsVersion, language };
  });
  const opened = await holder.call("POST /api/checkout", { ...choice, hash, language, consents });
  await pay(holder, sandbox, opened, "success");
}

async function storeCard(
  holder: PastHolder,
  sandbox: SandboxAccess,
  card: TestCardName,
): Promise<void> {
  const opened = await holder.call("POST /api/subscription/card", { language });
  await pay(holder, sandbox, opened, card);
}

/** Presses a card on the provider's page, and comes back. */
async function pay(
  { call, nowMs }: PastHolder,
  { url, key }: SandboxAccess,
  opened: unknown,
  card: TestCardName,
): Promise<void> {
  const { checkoutId } = z.object({ checkoutId: z.string() }).parse(opened);
  const path = "/sandbox-payments/test/cards" satisfies PathOf<keyof typeof sandboxControls>;
  const answer = await fetch(url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      [sandboxTimeHeader]: String(nowMs()),
    },
    body: JSON.stringify({ checkoutId, card }),
  });
  if (!answer.ok) throw new Error(`The sandbox answers ${answer.status}`);
  await call(`GET /api/checkout/${checkoutId}`);
}
type PathOf<Name> = Name extends `POST ${infer Path}` ? Path : never;

async function change({ call }: PastHolder, choice: PlanChoice): Promise<void> {
  const quoted = subscriptionCalls["POST /api/subscription/change-quote"].answer;
  const { hash } = quoted.parse(await call("POST /api/subscription/change-quote", choice));
  await call("POST /api/subscription/change", { ...choice, hash });
}

async function cancel({ call }: PastHolder): Promise<void> {
  const quoted = subscriptionCalls["POST /api/subscription/cancel-quote"].answer;
  const { hash } = quoted.parse(await call("POST /api/subscription/cancel-quote"));
  await call("POST /api/subscription/cancel", { hash });
}
