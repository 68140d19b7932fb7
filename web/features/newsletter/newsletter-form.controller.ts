import type { SourceContext } from "@pro-talent/schemas/newsletter/categories";
import { createActor } from "xstate";

import { type Desk, deskOf } from "../late-machine.ts";
import { newsletterMachine } from "./newsletter-form.machine.ts";
import type { NewsletterView } from "./newsletter-view.ts";
import { subscribeActor } from "./subscribe-actor.ts";
import type { SubscriptionEvent } from "./subscription.ts";

/** Starts the machine of a newsletter form, connected to the platform. */
export function openNewsletterDesk(
  sourceContext: SourceContext,
): Desk<NewsletterView, SubscriptionEvent> {
  const actors = { subscribe: subscribeActor(sourceContext) };
  const actor = createActor(newsletterMachine.provide({ actors })).start();
  return deskOf(actor, ({ value, context }) => ({
    place: value,
    entry: context.entry,
    trouble: context.trouble,
  }));
}
