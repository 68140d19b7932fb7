import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../../api-client/token.ts";
import { type MachineHandle, machineHandle } from "../../late-machine.ts";
import { confirm, type ConfirmResult, resend, type ResendResult } from "./confirm-call.ts";
import type { ConfirmEvent, ConfirmView } from "./confirm-view.ts";
import { confirmMachine } from "./confirm.machine.ts";

export function startConfirmMachine(): MachineHandle<ConfirmView, ConfirmEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const actors = {
    confirm: fromPromise<ConfirmResult, string>(({ input }) => confirm(api, input)),
    resend: fromPromise<ResendResult, string>(({ input }) => resend(api, input)),
  };
  const actor = createActor(confirmMachine.provide({ actors })).start();
  return machineHandle(actor, ({ value, context }) => ({
    place: value,
    email: context.email,
    resendTrouble: context.resendTrouble,
  }));
}
