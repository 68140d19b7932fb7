import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../api-client/token.ts";
import { type Desk, deskOf } from "../late-machine.ts";
import { sendLetter } from "./contact-call.ts";
import { contactMachine, type ContactLetter, type ContactOutcome } from "./contact-form.machine.ts";
import type { ContactEvent, ContactView } from "./contact-view.ts";

/** Starts the machine of the contact form, connected to the platform. */
export function openContactDesk(): Desk<ContactView, ContactEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const send = fromPromise<ContactOutcome, ContactLetter>(({ input }) => sendLetter(api, input));
  const actor = createActor(contactMachine.provide({ actors: { send } })).start();
  return deskOf(actor, ({ value, context }) => ({
    place: value,
    message: context.message,
    faults: context.faults,
    refusals: context.refusals,
  }));
}
