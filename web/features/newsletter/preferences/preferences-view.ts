import type {
  NewsletterFrequency,
  NewsletterTopic,
} from "@pro-talent/schemas/newsletter/categories";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

export type Preferences = {
  frequency: NewsletterFrequency;
  topics: readonly NewsletterTopic[];
  language: Locale;
};
export type Subscriber = Preferences & { email: string; subscribed: boolean };

/** `unreached`: the first load failed and can be repeated. */
export type PreferencesPlace =
  | "waiting"
  | "loading"
  | "unreached"
  | "unknown"
  | "ready"
  | "saving"
  | "saved"
  | "leaving"
  | "unsubscribed";

export type PreferencesTrouble = "topicRequired" | "failed" | "network";

export type PreferencesView = {
  place: PreferencesPlace;
  subscriber: Subscriber;
  trouble: PreferencesTrouble | undefined;
};

export type PreferencesEvent =
  /** Loads the preferences of a token; repeated until it succeeds. */
  | { type: "open"; token: string }
  | { type: "changed"; preferences: Preferences }
  | { type: "save" }
  | { type: "leave" };

export const noSubscriber: Subscriber = {
  email: "",
  subscribed: false,
  frequency: "weekly",
  topics: [],
  language: "en",
};

export const firstPreferencesView: PreferencesView = {
  place: "waiting",
  subscriber: noSubscriber,
  trouble: undefined,
};

/** What the page shows until its machine is loaded. */
export function foreseePreferences(
  view: PreferencesView,
  event: PreferencesEvent,
): PreferencesView {
  return event.type === "open" ? { ...view, place: "loading" } : view;
}
