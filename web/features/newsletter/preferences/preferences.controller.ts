import { createActor, fromPromise } from "xstate";

import { createApiClient } from "../../../api-client/request.ts";
import { leaveForSignIn, readToken } from "../../../api-client/token.ts";
import { type Desk, deskOf } from "../../late-machine.ts";
import {
  type LeaveOutcome,
  loadPreferences,
  type PreferencesOutcome,
  savePreferences,
  unsubscribe,
} from "./preferences-call.ts";
import type { PreferencesEvent, PreferencesView } from "./preferences-view.ts";
import { preferencesMachine, type Saving } from "./preferences.machine.ts";

/** Starts the machine of the preferences, connected to the platform. */
export function openPreferencesDesk(): Desk<PreferencesView, PreferencesEvent> {
  const api = createApiClient({ origin: "", readToken, onUnauthorized: leaveForSignIn });
  const actors = {
    load: fromPromise<PreferencesOutcome, string>(({ input }) => loadPreferences(api, input)),
    save: fromPromise<PreferencesOutcome, Saving>(({ input }) =>
      savePreferences(api, input.token, input.wishes),
    ),
    unsubscribe: fromPromise<LeaveOutcome, string>(({ input }) => unsubscribe(api, input)),
  };
  const actor = createActor(preferencesMachine.provide({ actors })).start();
  return deskOf(actor, ({ value, context }) => ({
    place: value,
    subscriber: context.subscriber,
    trouble: context.trouble,
  }));
}
