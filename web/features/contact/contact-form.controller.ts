import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../api-client/token.ts";
import { type MachineHandle, machineHandle } from "../late-machine.ts";
import { sendContactMessage } from "./contact-call.ts";
import {
  contactMachine,
  type ContactResult,
  type ContactSubmission,
} from "./contact-form.machine.ts";
import type { ContactEvent, ContactView } from "./contact-view.ts";

export function startContactMachine(): MachineHandle<ContactView, ContactEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const send = fromPromise<ContactResult, ContactSubmission>(({ input }) =>
    sendContactMessage(api, input),
  );
  const actor = createActor(contactMachine.provide({ actors: { send } })).start();
  return machineHandle(actor, ({ value, context }) => ({
    place: value,
    message: context.message,
    faults: context.faults,
    refusals: context.refusals,
  }));
}
