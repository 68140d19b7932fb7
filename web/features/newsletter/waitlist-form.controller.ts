import { createActor } from "xstate";

import { type Desk, deskOf } from "../late-machine.ts";
import { subscribeActor } from "./subscribe-actor.ts";
import type { SubscriptionEvent } from "./subscription.ts";
import { waitlistMachine } from "./waitlist-form.machine.ts";
import type { WaitlistView } from "./waitlist-view.ts";

/** Starts the machine of the waitlist form, connected to the platform. */
export function openWaitlistDesk(): Desk<WaitlistView, SubscriptionEvent> {
  const actors = { subscribe: subscribeActor("signup_page") };
  const actor = createActor(waitlistMachine.provide({ actors })).start();
  return deskOf(actor, ({ value, context }) => ({
    place: value,
    entry: context.entry,
    trouble: context.trouble,
  }));
}
