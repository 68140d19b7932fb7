import type { NewsletterCommand } from "@pro-talent/schemas/newsletter/commands";

import type { TimerHandler, TimerHandlers } from "../timers/sweep-timers.ts";
import {
  commandSubscriber,
  eraseDepartedTimer,
  eraseUnconfirmedTimer,
} from "./newsletter-command.ts";
import { subscriberOf } from "./newsletter-events.ts";
import type { SubscriberSource } from "./read-subscriber.ts";

/**
 * Erases the addresses that nobody confirmed, and those of people who are not written to any more.
 * The fact comes first, the key second: whoever confirms or asks again at the last moment wins by
 * the stream's version, and a crash between the two leaves a timer that is due and finishes the work.
 */
export function createNewsletterTimers({ store, subjects }: SubscriberSource): TimerHandlers {
  const erasing =
    (type: NewsletterCommand["type"] & `Erase${string}`): TimerHandler =>
    async (stream, now) => {
      const subscriberId = subscriberOf(stream);
      const outcome = await commandSubscriber(store, { subscriberId, command: { type }, now });
      if (outcome.kind === "refusal") throw new Error(`Nobody was erased: ${outcome.code}`);
      if (outcome.status === "erased") await subjects.shred(subscriberId);
    };
  return {
    [eraseUnconfirmedTimer]: erasing("EraseUnconfirmed"),
    [eraseDepartedTimer]: erasing("EraseDeparted"),
  };
}
