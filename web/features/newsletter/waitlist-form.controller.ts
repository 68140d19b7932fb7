import { createActor, fromPromise, type SnapshotFrom } from "xstate";

import { createApiClient } from "../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../api-client/token.ts";
import type { Desk } from "../late-machine.ts";
import { subscribe } from "./subscribe-call.ts";
import type { Outcome, SubscriptionEvent, Wish } from "./subscription.ts";
import { waitlistMachine } from "./waitlist-form.machine.ts";
import type { WaitlistView } from "./waitlist-view.ts";

function viewOf({ value, context }: SnapshotFrom<typeof waitlistMachine>): WaitlistView {
  return { place: value, entry: context.entry, trouble: context.trouble };
}

/** Starts the machine of the waitlist form, connected to the platform. */
export function openWaitlistDesk(): Desk<WaitlistView, SubscriptionEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const connected = waitlistMachine.provide({
    actors: {
      subscribe: fromPromise<Outcome, Wish>(({ input }) => subscribe(api, input, "signup_page")),
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
