import {
  newsletterFrequencies,
  newsletterPaths,
  newsletterTopics,
} from "@pro-talent/schemas/newsletter/categories";
import type { PreferencesRequest } from "@pro-talent/schemas/newsletter/calls";

import type { Answer, ApiClient, ApiReader } from "../../../api-client/request.ts";
import { isLanguage } from "../../../i18n/languages.ts";
import { textIn } from "../text-in.ts";
import type { Subscriber, Wishes } from "./preferences-view.ts";

/** How the platform answered; when nothing answered, the call throws. */
export type PreferencesOutcome =
  | { kind: "known"; subscriber: Subscriber }
  | { kind: "unknown" | "failed" };
export type LeaveOutcome = { kind: "left" | "unknown" | "failed" };

function topicsIn(body: unknown): Wishes["topics"] {
  if (typeof body !== "object" || body === null) return [];
  const topics: unknown = Reflect.get(body, "topics");
  return newsletterTopics.filter((topic) => Array.isArray(topics) && topics.includes(topic));
}

function subscriberIn(body: unknown): Subscriber | undefined {
  // Of whoever has left, the address is erased in time.
  const email = textIn(body, "email") ?? "";
  const language = textIn(body, "language");
  const frequency = newsletterFrequencies.find((name) => name === textIn(body, "frequency"));
  if (frequency === undefined || !isLanguage(language)) return undefined;
  const subscribed = textIn(body, "status") === "subscribed";
  return { email, language, frequency, topics: topicsIn(body), subscribed };
}

const isUnknown = ({ status }: Answer): boolean => status === 404 || status === 422;

export function preferencesOutcomeOf(answer: Answer): PreferencesOutcome {
  if (isUnknown(answer)) return { kind: "unknown" };
  const subscriber = answer.ok ? subscriberIn(answer.body) : undefined;
  return subscriber === undefined ? { kind: "failed" } : { kind: "known", subscriber };
}

export function leaveOutcomeOf(answer: Answer): LeaveOutcome {
  if (answer.ok) return { kind: "left" };
  return { kind: isUnknown(answer) ? "unknown" : "failed" };
}

/** @throws when nothing answered */
export async function loadPreferences(
  api: Pick<ApiReader, "get">,
  token: string,
): Promise<PreferencesOutcome> {
  const answer = await api.get(`${newsletterPaths.preferences}?token=${token}`);
  return preferencesOutcomeOf(answer);
}

/** @throws when nothing answered */
export async function savePreferences(
  api: Pick<ApiClient, "post">,
  token: string,
  { language, frequency, topics }: Wishes,
): Promise<PreferencesOutcome> {
  const body: PreferencesRequest = { token, language, frequency, topics: [...topics] };
  return preferencesOutcomeOf(await api.post(newsletterPaths.preferences, { body }));
}

/** @throws when nothing answered */
export async function unsubscribe(
  api: Pick<ApiClient, "post">,
  token: string,
): Promise<LeaveOutcome> {
  return leaveOutcomeOf(await api.post(newsletterPaths.unsubscribe, { body: { token } }));
}
