import { randomBytes } from "node:crypto";

import { SealBroken } from "@pro-talent/platform/crypto/seal";
import type { Queryable } from "@pro-talent/platform/postgres/pool";
import {
  StoredWebhookDetails,
  type WebhookDetails,
  WebhookEvent,
} from "@pro-talent/schemas/links/webhook-events";
import { WebhookState } from "@pro-talent/schemas/links/webhook-state";
import type { Instant } from "@pro-talent/schemas/primitives/instant";
import type { HeldRecord } from "@pro-talent/schemas/privacy/held-data";

import type { HeldSource, RecipientSource } from "../../held.ts";
import { runCommand, type StreamDefinition } from "../../kernel/commands.ts";
import type { Eraser } from "../../kernel/erasers.ts";
import { defineEvents } from "../../kernel/events.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { column, readModel } from "../../kernel/read-model.ts";
import { defineSnapshot, loadState, readSealed } from "../../kernel/streams.ts";
import type { Subject, SubjectKind } from "../../kernel/subjects.ts";
import type { Timer } from "../../kernel/timers.ts";
import { plansWith } from "../../plans-in-use.ts";
import { restrictedAccounts } from "../../restriction.ts";
import { type WebhookCommand, webhookDecider, type WebhookRefusalCode } from "./decider.ts";
import { nextAttempt } from "./webhook-state.decider.ts";

/** The events of one webhook. */
export const webhookEvents = defineEvents("webhook", WebhookEvent);

/** Each webhook has a data subject of its own, found by its owner's address. */
export const webhookOwner: SubjectKind = "webhooks.owner";

/** Sends what is due. */
export const deliverTimer = "link-webhooks.deliver";
/** Destroys the key of the address and the secrets. */
export const destroyTimer = "link-webhooks.destroy";

export const webhooks: StreamDefinition<
  WebhookState,
  WebhookCommand,
  WebhookEvent,
  WebhookRefusalCode
> = {
  events: webhookEvents,
  decider: webhookDecider,
  durableWith: "each append",
  reply: ({ status }) => ({ status }),
  timers: (state): readonly Timer[] => {
    if (state.status === "none") return [];
    if (state.status === "erased") return [{ name: destroyTimer, dueAt: state.at }];
    const dueAt = nextAttempt(state);
    return dueAt === null ? [] : [{ name: deliverTimer, dueAt }];
  },
  erasure: { events: ["WebhookErased"], timers: [] },
  snapshot: defineSnapshot(1, WebhookState),
};

/** The webhooks that exist. */
export const webhookRows = readModel({
  table: "link_webhook",
  version: 1,
  mode: "inline",
  purpose: "Lists the webhooks of an account, and those that first opens are looked for",
  retention: "Until the webhook is deleted, or its owner's account",
  events: webhookEvents,
  key: { webhook_id: column.uuid("pseudonym", "Names the webhook") },
  columns: {
    account_id: column.uuid("pseudonym", "Names the owner"),
    created_at: column.instant("operational", "When it was added"),
    paused: column.boolean("operational", "Whether nothing is sent until its owner resumes it"),
  },
  evolve: (row, { event, occurredAt }) => {
    switch (event.type) {
      case "WebhookCreated":
        return { account_id: event.data.accountId, created_at: occurredAt, paused: false };
      case "WebhookPaused":
        return row && { ...row, paused: true };
      case "WebhookResumed":
        return row && { ...row, paused: false };
      case "WebhookErased":
        return null;
      default:
        return row;
    }
  },
  indexes: [{ on: "(account_id, created_at)" }],
});

/** The ids of an account's webhooks, the oldest first. */
export async function webhooksOf(sql: Queryable, accountId: string): Promise<readonly string[]> {
  const rows = await sql<{ webhookId: string }[]>`
    select webhook_id as "webhookId" from ledger.link_webhook
     where account_id = ${accountId} order by created_at, webhook_id`;
  return rows.map(({ webhookId }) => webhookId);
}

const plansWithWebhooks = plansWith("read-link-analytics");

export type ActiveWebhook = {
  readonly webhookId: string;
  readonly accountId: string;
  readonly createdAt: Date;
};

/** Those that are sent first opens: not paused, with a plan that includes them, of no restricted account. */
export async function activeWebhooks(
  sql: Queryable,
  now: Instant,
): Promise<readonly ActiveWebhook[]> {
  return await sql<ActiveWebhook[]>`
    select w.webhook_id as "webhookId", w.account_id as "accountId", w.created_at as "createdAt"
      from ledger.link_webhook w join ledger.billing_entitlement b using (account_id)
     where not w.paused and (b.until is null or b.until > ${now})
       and b.plan = any (${plansWithWebhooks}::text[])
       and w.account_id not in ${restrictedAccounts(sql)}
     order by w.account_id, w.webhook_id`;
}

/** A secret as the Standard Webhooks write it. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export const sealDetails = (subject: Subject, details: WebhookDetails) =>
  ({ ...subject.seal(details), type: "WebhookSecretIssued" }) as const;

/**
 * Where a webhook leads and how it signs; undefined once its key is destroyed.
 * @param formerUntil of the latest secret: of the one before, where an earlier release stored it
 */
export async function openDetails(
  { subjects }: Pick<LedgerContext, "subjects">,
  sql: Queryable,
  webhookId: string,
  formerUntil: Instant | null,
): Promise<WebhookDetails | undefined> {
  const stream = webhookEvents.streamOf(webhookId);
  const sealed = await readSealed(sql, stream, "WebhookSecretIssued");
  const subject = sealed === undefined ? undefined : await subjects.find(sealed.keyId);
  if (sealed === undefined || subject === undefined) return undefined;
  try {
    const { formerSecret, ...details } = subject.open(sealed.bytes, StoredWebhookDetails);
    if (typeof formerSecret !== "string" || formerUntil === null) return details;
    return { ...details, former: [{ secret: formerSecret, until: formerUntil }] };
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** The webhooks of an account: where they lead. Their secrets open nothing that is held here. */
export const webhooksHeld: HeldSource = {
  section: "webhooks",
  collect: async function heldWebhooks(context, { accountId }) {
    const { sql } = context.ledger;
    const records = (await webhooksOf(sql, accountId)).map(async (id): Promise<HeldRecord[]> => {
      const { state } = await loadState(sql, webhooks, id);
      if (state.status !== "held") return [];
      const details = await openDetails(context, sql, id, state.formerSecretUntil);
      return [
        [
          { field: "url", text: details?.url ?? "" },
          { field: "status", word: state.paused === null ? "active" : "paused" },
          { field: "created-at", at: state.createdAt },
        ],
      ];
    });
    return (await Promise.all(records)).flat();
  },
};

/** Servers that the person named. */
export const webhookRecipients: RecipientSource = async (context, { accountId }) => {
  const { sql } = context.ledger;
  const known = (await webhooksOf(sql, accountId)).map(async (id) => {
    const { state } = await loadState(sql, webhooks, id);
    if (state.status !== "held" || state.attemptedAt === null) return [];
    const details = await openDetails(context, sql, id, state.formerSecretUntil);
    const { createdAt: firstAt, attemptedAt: lastAt } = state;
    const name = details === undefined ? null : new URL(details.url).host;
    return [{ recipient: "own-webhook" as const, name, firstAt, lastAt }];
  });
  return (await Promise.all(known)).flat();
};

/** Erases the webhooks of an account, with their addresses and secrets. */
export const webhooksEraser: Eraser = {
  step: "webhooks",
  subjectsOf: ({ ledger }, { accountId }) => webhooksOf(ledger.sql, accountId),
  erase: async ({ ledger, subjects }, { accountId }, why) => {
    const held = await webhooksOf(ledger.sql, accountId);
    for (const id of held) {
      const command = { type: "EraseWebhook", reason: "account-closed" } as const;
      const result = await runCommand(ledger, webhooks, { ...why, id, command, body: command });
      if (result.kind === "refusal") throw new Error(`A webhook was not erased: ${result.code}`);
      await subjects.shred(id);
    }
    return { found: held.length, left: (await webhooksOf(ledger.sql, accountId)).length };
  },
};
