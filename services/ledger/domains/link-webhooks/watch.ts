import { randomUUID } from "node:crypto";

import { callService, type ServiceAddress } from "@pro-talent/platform/http/service-client";
import { internalInsightCalls } from "@pro-talent/schemas/insights/internal-calls";
import type { FirstOpen } from "@pro-talent/schemas/links/webhook-events";
import { type Instant, instantFromMs, instantPlus } from "@pro-talent/schemas/primitives/instant";
import { v5 as uuidV5 } from "uuid";

import { runCommand } from "../../kernel/commands.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { type ActiveWebhook, activeWebhooks, webhooks } from "./webhooks.ts";

/** What webhooks ask of the insights service; each throws when it does not answer. */
export type OpensSource = {
  /** Accounts with links that were opened in a span. */
  readonly openedAccounts: (from: Instant, until: Instant) => Promise<ReadonlySet<string>>;
  /** Links of an account that were first opened at or after an instant. */
  readonly firstOpens: (accountId: string, since: Instant) => Promise<readonly FirstOpen[]>;
};

/** Asks the insights service. */
export function opensOver(insights: ServiceAddress): OpensSource {
  const call = callService(insights, internalInsightCalls);
  return {
    openedAccounts: async (from, until) => {
      const { links } = await call("POST /internal/insights/opened", { body: { from, until } });
      return new Set(links.map(({ accountId }) => accountId));
    },
    firstOpens: async (accountId, since) =>
      (await call("POST /internal/insights/first-opens", { body: { accountId, since } })).opens,
  };
}

/** Namespace of the ids of deliveries: drawn at random once, fixed for ever. */
const deliveryNamespace = "5b1f6f0e-52c5-4d3c-a2c1-94a1f3c1c6a7";

const minuteMs = 60_000;
/** An open of a page counts once the page confirms it, a little later. */
const confirmedMs = 15 * minuteMs;
/** After a fault an open may become known later still: so often all accounts are looked at. */
const allMs = 60 * minuteMs;

/**
 * Requests a delivery of each first open since a webhook was added, whenever it is called. One question
 * names the accounts with new opens; the others are looked at when a webhook is new or was resumed, and
 * once an hour. What is kept between two calls only saves questions: one open is reported once.
 * @returns a call that throws the first error, after all accounts were looked at
 */
export function watchFirstOpens(
  { ledger, clock }: Pick<LedgerContext, "ledger" | "clock">,
  opens: OpensSource,
): () => Promise<void> {
  const never = instantFromMs(0);
  let [lookedAt, allLookedAt] = [never, never];
  /** Webhooks that know what was known at `lookedAt`. */
  let upToDate: ReadonlySet<string> = new Set();
  return async () => {
    const now = instantFromMs(clock());
    const isAllDue = now >= instantPlus(allLookedAt, allMs);
    const known = isAllDue ? new Set<string>() : upToDate;
    const opened =
      known.size === 0
        ? new Set<string>()
        : await opens.openedAccounts(instantPlus(lookedAt, -confirmedMs), now);
    const active = await activeWebhooks(ledger.sql, now);
    const looked = new Set<string>();
    const errors: unknown[] = [];
    for (const [accountId, held] of Map.groupBy(active, (webhook) => webhook.accountId)) {
      try {
        if (opened.has(accountId) || held.some(({ webhookId }) => !known.has(webhookId)))
          await reportTo(ledger, opens, { accountId, held, now });
        for (const { webhookId } of held) looked.add(webhookId);
      } catch (error) {
        errors.push(error);
      }
    }
    upToDate = looked;
    lookedAt = now;
    if (isAllDue) allLookedAt = now;
    if (errors.length > 0) throw errors[0];
  };
}

type Looked = {
  readonly accountId: string;
  readonly held: readonly ActiveWebhook[];
  readonly now: Instant;
};

async function reportTo(
  ledger: LedgerContext["ledger"],
  opens: OpensSource,
  { accountId, held, now }: Looked,
): Promise<void> {
  const since = Math.min(...held.map(({ createdAt }) => createdAt.getTime()));
  const known = await opens.firstOpens(accountId, instantFromMs(since));
  for (const webhook of held) await report(ledger, webhook, known, now);
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
