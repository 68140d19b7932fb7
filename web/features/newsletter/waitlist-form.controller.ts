import { createActor } from "xstate";

import { type MachineHandle, machineHandle } from "../late-machine.ts";
import { subscribeActor } from "./subscribe-actor.ts";
import type { SubscribeEvent } from "./subscribe.ts";
import { waitlistMachine } from "./waitlist-form.machine.ts";
import type { WaitlistView } from "./waitlist-view.ts";

export function startWaitlistMachine(): MachineHandle<WaitlistView, SubscribeEvent> {
  const actors = { subscribe: subscribeActor("signup_page") };
  const actor = createActor(waitlistMachine.provide({ actors })).start();
  return machineHandle(actor, ({ value, context }) => ({
    place: value,
    entry: context.entry,
    trouble: context.trouble,
  }));
}
