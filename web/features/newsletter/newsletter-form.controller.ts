import type { SourceContext } from "@pro-talent/schemas/newsletter/categories";
import { createActor } from "xstate";

import { type MachineHandle, machineHandle } from "../late-machine.ts";
import { newsletterMachine } from "./newsletter-form.machine.ts";
import type { NewsletterView } from "./newsletter-view.ts";
import { subscribeActor } from "./subscribe-actor.ts";
import type { SubscribeEvent } from "./subscribe.ts";

export function startNewsletterMachine(
  sourceContext: SourceContext,
): MachineHandle<NewsletterView, SubscribeEvent> {
  const actors = { subscribe: subscribeActor(sourceContext) };
  const actor = createActor(newsletterMachine.provide({ actors })).start();
  return machineHandle(actor, ({ value, context }) => ({
    place: value,
    entry: context.entry,
    trouble: context.trouble,
  }));
}
