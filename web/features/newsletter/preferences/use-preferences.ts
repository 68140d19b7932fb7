import { newsletterFrequencies, newsletterTopics } from "@pro-talent/schemas/newsletter/categories";
import { type SyntheticEvent, useEffect } from "react";

import { isLanguage } from "../../../i18n/languages.ts";
import { type LatePlan, useLateMachine } from "../../late-machine.ts";
import {
  firstPreferencesView,
  foreseePreferences,
  type Preferences,
  type PreferencesEvent,
  type PreferencesView,
} from "./preferences-view.ts";

const plan: LatePlan<PreferencesView, PreferencesEvent> = {
  initial: firstPreferencesView,
  foresee: foreseePreferences,
  urges: () => true,
  unreachable: (view) => ({ ...view, place: "unreached", trouble: "network" }),
  open: async () => (await import("./preferences.controller.ts")).startPreferencesMachine(),
};

function readPreferences(form: HTMLFormElement): Preferences {
  const data = new FormData(form);
  const language = data.get("language");
  const topics = data.getAll("topics");
  return {
    frequency: newsletterFrequencies.find((name) => name === data.get("frequency")) ?? "weekly",
    topics: newsletterTopics.filter((topic) => topics.includes(topic)),
    language: isLanguage(language) ? language : "en",
  };
}

/** Connects the page to its late machine, which loads the preferences as soon as it is there. */
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
      send({ type: "changed", preferences: readPreferences(event.currentTarget) }),
    onSubmit: (event: SyntheticEvent<HTMLFormElement>): void => {
      event.preventDefault();
      send({ type: "save" });
    },
  };
  return { view, again, leave: () => send({ type: "leave" }), events };
}
