import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../../api-client/token.ts";
import { type Desk, deskOf } from "../../late-machine.ts";
import { confirm, type ConfirmOutcome, resend, type ResendOutcome } from "./confirm-call.ts";
import type { ConfirmEvent, ConfirmView } from "./confirm-view.ts";
import { confirmMachine } from "./confirm.machine.ts";

/** Starts the machine of a confirmation, connected to the platform. */
export function openConfirmDesk(): Desk<ConfirmView, ConfirmEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const actors = {
    confirm: fromPromise<ConfirmOutcome, string>(({ input }) => confirm(api, input)),
    resend: fromPromise<ResendOutcome, string>(({ input }) => resend(api, input)),
  };
  const actor = createActor(confirmMachine.provide({ actors })).start();
  return deskOf(actor, ({ value, context }) => ({
    place: value,
    email: context.email,
    resendTrouble: context.resendTrouble,
  }));
}
