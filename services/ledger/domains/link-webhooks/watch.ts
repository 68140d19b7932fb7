import { randomUUID } from "node:crypto";

import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalInsightCalls } from "@pro-talent/schemas/insights/calls";
import type { FirstOpen } from "@pro-talent/schemas/links/webhook-events";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import { v5 as uuidV5 } from "uuid";

import { runCommand } from "../../kernel/commands.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { type ActiveWebhook, activeWebhooks, webhooks } from "./webhooks.ts";

/** Links of an account that were first opened at or after an instant. */
export type FirstOpensOf = (accountId: string, since: Instant) => Promise<readonly FirstOpen[]>;

/** Asks the insights service. */
export function firstOpensOver(insights: ServiceAddress): FirstOpensOf {
  const call = callService(insights, internalInsightCalls);
  return async (accountId, since) => {
    const body = { accountId, since };
    return (await call("POST /internal/insights/first-opens", { body })).opens;
  };
}

/** Namespace of the ids of deliveries: drawn at random once, fixed for ever. */
const deliveryNamespace = "5b1f6f0e-52c5-4d3c-a2c1-94a1f3c1c6a7";

/**
 * Requests a delivery of each first open since a webhook was added. Nothing is remembered of what was
 * looked at: an open that becomes known late, or after days without an answer, is found all the same, and
 * one that was reported before changes nothing.
 * @throws the first error, after all accounts were looked at
 */
export async function watchFirstOpens(
  { ledger, clock }: Pick<LedgerContext, "ledger" | "clock">,
  firstOpensOf: FirstOpensOf,
): Promise<void> {
  const now = instantFromMs(clock());
  const byAccount = Map.groupBy(
    await activeWebhooks(ledger.sql, now),
    ({ accountId }) => accountId,
  );
  const errors: unknown[] = [];
  for (const [accountId, held] of byAccount) {
    try {
      const since = Math.min(...held.map(({ createdAt }) => createdAt.getTime()));
      const opens = await firstOpensOf(accountId, instantFromMs(since));
      for (const webhook of held) await report(ledger, webhook, opens, now);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function report(
  ledger: LedgerContext["ledger"],
  { webhookId, createdAt }: ActiveWebhook,
  known: readonly FirstOpen[],
  now: Instant,
): Promise<void> {
  const opens = known
    .filter(({ at }) => at >= instantFromMs(createdAt.getTime()))
    .map((open) => ({
      open,
      deliveryId: uuidV5(`${webhookId} ${open.linkId}`, deliveryNamespace),
    }));
  if (opens.length === 0) return;
  const id = randomUUID();
  const cause = { actor: "service:link-webhooks", causationId: id, correlationId: id };
  const command = { type: "ReportFirstOpens", opens } as const;
  const body = { type: command.type };
  // Refused only when the webhook was deleted meanwhile, or others were faster: the next look finds it.
  await runCommand(ledger, webhooks, { id: webhookId, command, body, now, cause });
}
