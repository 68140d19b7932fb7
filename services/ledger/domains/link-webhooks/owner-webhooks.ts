import { randomUUID } from "node:crypto";

import { idempotencyKey } from "@pro-talent/platform/http/idempotency-key";
import { ProblemError } from "@pro-talent/platform/http/problem-details";
import { insightProblems } from "@pro-talent/schemas/insights/calls";
import { webhookLimits as limit } from "@pro-talent/schemas/links/limits";
import {
  webhookProblems as problems,
  type WebhookView,
} from "@pro-talent/schemas/links/webhook-calls";
import type { WebhookDetails } from "@pro-talent/schemas/links/webhook-events";
import type { SignedIn } from "@pro-talent/schemas/primitives/access";
import { type Instant, instantFromMs } from "@pro-talent/schemas/primitives/instant";
import type { FastifyRequest } from "fastify";
import { v5 as uuidV5 } from "uuid";

import type { EmailOf } from "../../contacts.ts";
import { runCommand } from "../../kernel/commands.ts";
import { requestContext, storeProblem } from "../../kernel/http.ts";
import { inTurn } from "../../kernel/in-turn.ts";
import type { HttpContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { Subject } from "../../kernel/subjects.ts";
import { includesOpens } from "../../plans-in-use.ts";
import { overlapFrom, type WebhookCommand } from "./decider.ts";
import { type HeldWebhook, isListed } from "./webhook-state.decider.ts";
import {
  newSecret,
  openDetails,
  sealDetails,
  webhookOwner,
  webhooks,
  webhooksOf,
} from "./webhooks.ts";

export type Caller = { readonly request: FastifyRequest; readonly account: SignedIn };
type Held = { readonly state: HeldWebhook; readonly details: WebhookDetails };
type Shown = { readonly webhook: WebhookView };
type ShownOnce = Shown & { readonly secret: string };

const nowOf = ({ clock }: HttpContext): Instant => instantFromMs(clock());

/** The webhooks of an account, the oldest first. */
export async function listWebhooks(context: HttpContext, accountId: string) {
  const { sql } = context.ledger;
  const shown = (await webhooksOf(sql, accountId)).map(async (webhookId) => {
    const held = await findWebhook(context, accountId, webhookId);
    // What is deleted between the two reads is no webhook any more.
    return held === undefined ? [] : [viewOf(context, webhookId, held)];
  });
  return {
    webhooks: (await Promise.all(shown)).flat(),
    webhooksMax: limit.webhooksMax,
    included: await includesOpens(sql, accountId, nowOf(context)),
  };
}

/** @throws ProblemError when the account's plan has no webhooks */
export async function requireIncluded(context: HttpContext, { account }: Caller): Promise<void> {
  if (await includesOpens(context.ledger.sql, account.accountId, nowOf(context))) return;
  throw new ProblemError(insightProblems.insights_not_included);
}

/** Carries out a command of the owner. @throws ProblemError */
export async function actOn(
  context: HttpContext,
  caller: Caller,
  webhookId: string,
  command: WebhookCommand,
): Promise<Shown> {
  await ownWebhook(context, caller, webhookId);
  await requireIncluded(context, caller);
  await issue(context, caller, { webhookId, command });
  return await shownTo(context, caller, webhookId);
}

/** Deletes a webhook; a timer then destroys its key. @throws ProblemError */
export async function deleteWebhook(context: HttpContext, caller: Caller, webhookId: string) {
  await ownWebhook(context, caller, webhookId);
  const command = { type: "EraseWebhook", reason: "deleted" } as const;
  await issue(context, caller, { webhookId, command });
  return { status: "done" as const };
}

/** @throws ProblemError */
export async function replaceSecret(
  context: HttpContext,
  caller: Caller,
  webhookId: string,
): Promise<ShownOnce> {
  const secret = newSecret();
  // One after the other, so that each replacement keeps the secret of the one before.
  await inTurn(context.ledger.sql, webhookId, async () => {
    const { details } = await ownWebhook(context, caller, webhookId);
    const subject = await context.subjects.find(webhookId);
    if (subject === undefined) throw new ProblemError(problems.webhook_not_found);
    const now = nowOf(context);
    const until = overlapFrom(now);
    const former = [...details.former, { secret: details.secret, until }]
      .filter((one) => now < one.until)
      .slice(-limit.formerSecretsMax);
    const command = { type: "ReplaceSecret" } as const;
    const sealed = { url: details.url, secret, former };
    await issue(context, caller, { webhookId, command, details: { subject, sealed } });
  });
  return { ...(await shownTo(context, caller, webhookId)), secret };
}

/** Namespace of the ids of webhooks: drawn at random once, fixed for ever. */
const webhookNamespace = "c7a2a1f4-6d0b-4a9e-9a51-0c6f8c9d2e34";

/** Adds a webhook; a repetition of the request finds the one that it added. @throws ProblemError */
export async function addWebhook(
  context: HttpContext,
  caller: Caller,
  { url, emailOf }: { readonly url: string; readonly emailOf: EmailOf },
): Promise<ShownOnce> {
  const { accountId } = caller.account;
  const key = idempotencyKey(caller.request) ?? randomUUID();
  const webhookId = uuidV5(`${accountId} ${key}`, webhookNamespace);
  const known = await findWebhook(context, accountId, webhookId);
  if (known !== undefined) {
    return { webhook: viewOf(context, webhookId, known), secret: known.details.secret };
  }
  const email = await emailOf(accountId);
  const sealed = { url, secret: newSecret(), former: [] };
  await inTurn(context.ledger.sql, `webhooks of ${accountId}`, async () => {
    const held = await webhooksOf(context.ledger.sql, accountId);
    if (held.length >= limit.webhooksMax) throw new ProblemError(problems.webhooks_full);
    const subject = await context.subjects.ofOccasion(webhookOwner, webhookId, email);
    const command = { type: "CreateWebhook", accountId } as const;
    await issue(context, caller, { webhookId, command, details: { subject, sealed } });
  });
  return { ...(await shownTo(context, caller, webhookId)), secret: sealed.secret };
}

type Issuing = {
  readonly webhookId: string;
  readonly command: WebhookCommand;
  readonly details?: { readonly subject: Subject; readonly sealed: WebhookDetails };
};

/** @throws ProblemError with the decider's code */
async function issue(
  context: HttpContext,
  { request, account }: Caller,
  { webhookId, command, details }: Issuing,
): Promise<void> {
  const result = await runCommand(context.ledger, webhooks, {
    ...requestContext(context, request, `account:${account.accountId}`),
    id: webhookId,
    command,
    body: { type: command.type, webhookId },
    ...(details && { sealed: sealDetails(details.subject, details.sealed) }),
  });
  if (result.kind === "answer") return;
  switch (result.code) {
    case "command_mismatch":
    case "version_conflict":
    case "process_superseded":
      throw storeProblem(result.code);
    default:
      throw new ProblemError(problems[result.code]);
  }
}

/** A webhook of this account; one of another account is as unknown as none. @throws ProblemError */
async function ownWebhook(
  context: HttpContext,
  { account: { accountId } }: Caller,
  webhookId: string,
): Promise<Held> {
  const held = await findWebhook(context, accountId, webhookId);
  if (held === undefined) throw new ProblemError(problems.webhook_not_found);
  return held;
}

async function findWebhook(
  context: HttpContext,
  accountId: string,
  webhookId: string,
): Promise<Held | undefined> {
  const { sql } = context.ledger;
  const { state } = await loadState(sql, webhooks, webhookId);
  if (state.status !== "held" || state.accountId !== accountId) return undefined;
  const details = await openDetails(context, sql, webhookId, state.formerSecretUntil);
  return details && { state, details };
}

async function shownTo(context: HttpContext, caller: Caller, webhookId: string): Promise<Shown> {
  return { webhook: viewOf(context, webhookId, await ownWebhook(context, caller, webhookId)) };
}

/** A webhook as its owner sees it: without its secrets. */
function viewOf(context: HttpContext, webhookId: string, { state, details }: Held): WebhookView {
  const now = nowOf(context);
  const { createdAt, paused, formerSecretUntil, deliveries } = state;
  return {
    webhookId,
    url: details.url,
    createdAt,
    paused,
    formerSecretUntil:
      formerSecretUntil !== null && now < formerSecretUntil ? formerSecretUntil : null,
    deliveries: deliveries
      .filter((delivery) => isListed(delivery, now))
      .toReversed()
      .slice(0, limit.listedMax),
  };
}
