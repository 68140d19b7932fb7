import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../api-client/token.ts";
import type { Desk } from "../late-machine.ts";
import { sendLetter } from "./contact-call.ts";
import { contactMachine, type ContactLetter, type ContactOutcome } from "./contact-form.machine.ts";
import type { ContactEvent, ContactView } from "./contact-view.ts";

/** Starts the machine of the contact form, connected to the platform. */
export function openContactDesk(): Desk<ContactView, ContactEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const connected = contactMachine.provide({
    actors: {
      send: fromPromise<ContactOutcome, ContactLetter>(({ input }) => sendLetter(api, input)),
    },
  });
  const actor = createActor(connected).start();
  return {
    view: () => {
      const { value, context } = actor.getSnapshot();
      const { message, faults, refusals } = context;
      return { place: value, message, faults, refusals };
    },
    send: (event) => actor.send(event),
    subscribe: (listener) => void actor.subscribe(listener),
    stop: () => actor.stop(),
  };
}
