import { type SyntheticEvent, useEffect } from "react";

import { type LatePlan, useLateMachine } from "../../late-machine.ts";
import {
  firstPreferencesView,
  foreseePreferences,
  type PreferencesEvent,
  type PreferencesView,
} from "./preferences-view.ts";
import { readWishes } from "./read-wishes.ts";

const plan: LatePlan<PreferencesView, PreferencesEvent> = {
  initial: firstPreferencesView,
  foresee: foreseePreferences,
  urges: () => true,
  unreachable: (view) => ({ ...view, place: "unreached", trouble: "network" }),
  open: async () => (await import("./preferences.controller.ts")).openPreferencesDesk(),
};

/** Ties the page of preferences to its late machine, which looks the link up as soon as it is there. */
export function usePreferences(token: string | undefined) {
  const { view, send } = useLateMachine(plan);
  useEffect(() => {
    if (token !== undefined) send({ type: "open", token });
  }, [send, token]);
  const again = (): void => {
    if (token !== undefined) send({ type: "open", token });
  };
  const events = {
    onInput: (event: SyntheticEvent<HTMLFormElement>): void =>
      send({ type: "changed", wishes: readWishes(event.currentTarget) }),
    onSubmit: (event: SyntheticEvent<HTMLFormElement>): void => {
      event.preventDefault();
      send({ type: "save" });
    },
  };
  return { view, again, leave: () => send({ type: "leave" }), events };
}
