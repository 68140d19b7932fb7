import type {
  NewsletterFrequency,
  NewsletterTopic,
} from "@pro-talent/schemas/newsletter/categories";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

/** What a subscriber wishes for, as the form shows it. */
export type Wishes = {
  frequency: NewsletterFrequency;
  topics: readonly NewsletterTopic[];
  language: Locale;
};
export type Subscriber = Wishes & { email: string; subscribed: boolean };

/** `unreached` is a first look that failed: nothing can be shown yet, but it can be tried again. */
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
  /** The first look at a link, and every further one until it succeeds. */
  | { type: "open"; token: string }
  | { type: "changed"; wishes: Wishes }
  | { type: "save" }
  | { type: "leave" };

export const nobody: Subscriber = {
  email: "",
  subscribed: false,
  frequency: "weekly",
  topics: [],
  language: "en",
};

export const firstPreferencesView: PreferencesView = {
  place: "waiting",
  subscriber: nobody,
  trouble: undefined,
};

/** What the page shows before its machine has been fetched. */
export function foreseePreferences(
  view: PreferencesView,
  event: PreferencesEvent,
): PreferencesView {
  return event.type === "open" ? { ...view, place: "loading" } : view;
}
