import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../../api-client/token.ts";
import { type MachineHandle, machineHandle } from "../../late-machine.ts";
import {
  type LeaveResult,
  loadPreferences,
  type PreferencesResult,
  savePreferences,
  unsubscribe,
} from "./preferences-call.ts";
import type { PreferencesEvent, PreferencesView } from "./preferences-view.ts";
import { preferencesMachine, type Saving } from "./preferences.machine.ts";

export function startPreferencesMachine(): MachineHandle<PreferencesView, PreferencesEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const actors = {
    load: fromPromise<PreferencesResult, string>(({ input }) => loadPreferences(api, input)),
    save: fromPromise<PreferencesResult, Saving>(({ input }) =>
      savePreferences(api, input.token, input.preferences),
    ),
    unsubscribe: fromPromise<LeaveResult, string>(({ input }) => unsubscribe(api, input)),
  };
  const actor = createActor(preferencesMachine.provide({ actors })).start();
  return machineHandle(actor, ({ value, context }) => ({
    place: value,
    subscriber: context.subscriber,
    trouble: context.trouble,
  }));
}
