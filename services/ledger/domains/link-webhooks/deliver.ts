import { signStandardWebhook } from "@pro-talent/platform/crypto/webhook-signature";
import type { OutsideOptions } from "@pro-talent/platform/http/outside-connection";
import { postOutside } from "@pro-talent/platform/http/post-outside";
import { readExternalUrl } from "@pro-talent/schemas/links/read-external-url";
import type { DeliveryView } from "@pro-talent/schemas/links/webhook-calls";
import type { WebhookDetails, WebhookMessage } from "@pro-talent/schemas/links/webhook-events";
import { type Instant, instantPlus } from "@pro-talent/schemas/primitives/instant";

import { runCommand } from "../../kernel/commands.ts";
import type { WorkerContext } from "../../kernel/module.ts";
import { loadState } from "../../kernel/streams.ts";
import type { TimerHandler } from "../../kernel/timers.ts";
import { isRestricted } from "../../restriction.ts";
import type { Outcome } from "./decider.ts";
import type { HeldWebhook } from "./webhook-state.decider.ts";
import { openDetails, webhooks } from "./webhooks.ts";

/** After so long the others have their turn; what is left is due at the next sweep. */
const turnMs = 10_000;

/**
 * Sends what is due of a webhook, the longest waiting first, until an attempt fails or the turn ends.
 * Killed between an attempt and its record, the message is sent again under the same id. Nothing is sent
 * for an account that is restricted; what waits is sent when that ends.
 */
export function deliverHandler(context: WorkerContext, outside: OutsideOptions): TimerHandler {
  return async (webhookId, { now, cause }) => {
    const { ledger, stopping } = context;
    const begun = performance.now();
    // By the database's clock, as the timer: recorded attempts lie after what was due, and move it.
    const passed = (): Instant => instantPlus(now, Math.round(performance.now() - begun));
    do {
      const { state } = await loadState(ledger.sql, webhooks, webhookId);
      if (state.status !== "held") return undefined;
      if (await isRestricted(ledger.sql, state.accountId)) return "not-yet";
      const delivery = firstDue(state, passed());
      const until = state.formerSecretUntil;
      const details = delivery && (await openDetails(context, ledger.sql, webhookId, until));
      // Without details the webhook's key was destroyed.
      if (delivery === undefined || details === undefined) return undefined;
      const outcome = await attempt(details, { delivery, at: passed() }, { outside, stopping });
      if (outcome === "stopped") throw new Error("The worker stops before an attempt has ended");
      const command = { type: "RecordAttempt", deliveryId: delivery.deliveryId, outcome } as const;
      const request = { id: webhookId, command, body: command, now: passed(), cause };
      const result = await runCommand(ledger, webhooks, request);
      if (result.kind === "refusal" && result.code !== "webhook_not_found") {
        throw new Error(`An attempt of a webhook is not recorded: ${result.code}`);
      }
      if (outcome.fault !== null) return undefined;
    } while (performance.now() - begun < turnMs);
    return undefined;
  };
}

function firstDue({ paused, deliveries }: HeldWebhook, at: Instant): DeliveryView | undefined {
  if (paused !== null) return undefined;
  const timeOf = ({ nextAt }: DeliveryView): string => nextAt ?? "";
  return deliveries
    .filter(({ status, nextAt }) => status === "waiting" && nextAt !== null && nextAt <= at)
    .toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))[0];
}

type Attempt = { readonly delivery: DeliveryView; readonly at: Instant };
type Means = { readonly outside: OutsideOptions; readonly stopping: AbortSignal };

async function attempt(
  { url, secret, former }: WebhookDetails,
  { delivery, at }: Attempt,
  { outside, stopping }: Means,
): Promise<Outcome | "stopped"> {
  // An address that was accepted under earlier rules may not be today.
  if ("fault" in readExternalUrl(url)) return { fault: "address", status: null };
  const id = `msg_${delivery.deliveryId}`;
  const seconds = Math.floor(Date.parse(at) / 1000);
  const body = JSON.stringify(messageOf(delivery));
  const stillUsed = former.filter(({ until }) => at < until).toReversed();
  const secrets = [secret, ...stillUsed.map((one) => one.secret)];
  const headers = {
    "user-agent": "ProTalent-Webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signStandardWebhook(secrets, { id, seconds, body }),
  };
  const answer = await postOutside(url, { headers, body }, outside, stopping);
  // What the receiver would have answered is not known: the attempt does not count.
  if ("fault" in answer) return stopping.aborted ? "stopped" : { ...answer, status: null };
  const isAccepted = answer.status >= 200 && answer.status < 300;
  return { fault: isAccepted ? null : "status", status: answer.status };
}

/** Follows from the request alone, so that each attempt sends the same. */
function messageOf({ open, requestedAt }: DeliveryView): WebhookMessage {
  return open === null
    ? { type: "webhook.test", timestamp: requestedAt, data: {} }
    : { type: "link.first_opened", timestamp: open.at, data: open };
}
