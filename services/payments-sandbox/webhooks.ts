import { signWebhook } from "@pro-talent/platform/crypto/webhook-signature";
import type { Clock } from "@pro-talent/platform/runtime/clock";
import type { Logger } from "@pro-talent/platform/runtime/logger";
import { repeat } from "@pro-talent/platform/runtime/repeat";
import { sandboxSignatureHeader } from "@pro-talent/schemas/payments-sandbox/objects";

import type { Journal, StoredEvent } from "./journal.ts";
import type { Provider } from "./provider.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Waits before the next attempts; with them an event is sent for three days. */
const waitsMs = [
  5000,
  30_000,
  5 * minuteMs,
  hourMs,
  ...[6, 12, 24, 24].map((hours) => hours * hourMs),
];
const answerWithinMs = 5000;
const everyMs = 200;

export type Webhooks = {
  /** Sends nothing until released. @returns 0 */
  readonly hold: () => number;
  /** Sends what waits. @returns how many requests were made */
  readonly release: (options: { reverse: boolean; copies: number }) => Promise<number>;
  readonly stop: () => Promise<void>;
};

/**
 * Sends the provider's events, signed, until the receiver answers with 2xx. Later attempts wait for the
 * clock, so that a moved clock brings them forward.
 * @param options.url where the product receives them; without one nothing is sent
 */
export function startWebhooks(options: {
  journal: Journal;
  provider: Provider;
  clock: Clock;
  log: Logger;
  secret: string;
  url: string | undefined;
}): Webhooks {
  const { journal, provider, clock, log, url } = options;
  let held = false;

  const due = (): Promise<[string, StoredEvent][]> =>
    journal.run((tables) => {
      provider.settle(tables);
      return tables.events
        .entries()
        .filter(([, { nextMs }]) => nextMs !== null && nextMs <= clock());
    });

  const deliver = async ([id, event]: [string, StoredEvent]): Promise<void> => {
    if (url === undefined) return;
    const arrived = await send(url, JSON.stringify(event.body), options).catch(() => false);
    const attempts = event.attempts + 1;
    const waitMs = waitsMs[event.attempts];
    const nextMs = arrived || waitMs === undefined ? null : clock() + waitMs;
    await journal.run((tables) => tables.events.set(id, { ...event, attempts, nextMs }));
  };

  const passes = repeat({
    everyMs,
    pass: async (signal) => {
      for (const event of held || url === undefined ? [] : await due()) {
        if (signal.aborted || held) break;
        await deliver(event);
      }
      return "wait";
    },
    onFailing: (error) => log.error({ err: error }, "webhooks are not sent"),
  });

  return {
    hold: () => {
      held = true;
      return 0;
    },
    release: async ({ reverse, copies }) => {
      const events = await due();
      const ordered = reverse ? events.toReversed() : events;
      for (const event of ordered) {
        for (let copy = 0; copy < copies; copy += 1) await deliver(event);
      }
      held = false;
      return ordered.length * copies;
    },
    stop: () => passes.stop(),
  };
}

/** @returns whether the receiver accepted it */
async function send(
  url: string,
  body: string,
  { secret, clock }: { secret: string; clock: Clock },
): Promise<boolean> {
  const signature = signWebhook(secret, body, Math.floor(clock() / 1000));
  const headers = { "content-type": "application/json", [sandboxSignatureHeader]: signature };
  const signal = AbortSignal.timeout(answerWithinMs);
  const answer = await fetch(url, { method: "POST", headers, body, signal, redirect: "error" });
  await answer.body?.cancel();
  return answer.ok;
}
