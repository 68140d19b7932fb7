import type { SourceContext } from "@pro-talent/schemas/newsletter/categories";
import { createActor, fromPromise, type SnapshotFrom } from "xstate";

import { createApiClient } from "../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../api-client/token.ts";
import type { Desk } from "../late-machine.ts";
import { newsletterMachine } from "./newsletter-form.machine.ts";
import type { NewsletterView } from "./newsletter-view.ts";
import { subscribe } from "./subscribe-call.ts";
import type { Outcome, SubscriptionEvent, Wish } from "./subscription.ts";

function viewOf({ value, context }: SnapshotFrom<typeof newsletterMachine>): NewsletterView {
  return { place: value, entry: context.entry, trouble: context.trouble };
}

/** Starts the machine of a newsletter form, connected to the platform. */
export function openNewsletterDesk(
  sourceContext: SourceContext,
): Desk<NewsletterView, SubscriptionEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const connected = newsletterMachine.provide({
    actors: {
      subscribe: fromPromise<Outcome, Wish>(({ input }) => subscribe(api, input, sourceContext)),
    },
  });
  const actor = createActor(connected).start();
  return {
    view: () => viewOf(actor.getSnapshot()),
    send: (event) => actor.send(event),
    subscribe: (listener) => void actor.subscribe(listener),
    stop: () => actor.stop(),
  };
}
