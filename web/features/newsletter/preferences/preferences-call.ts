import type { PreferencesRequest } from "@pro-talent/schemas/newsletter/calls";
import {
  newsletterFrequencies,
  newsletterPaths,
  newsletterTopics,
} from "@pro-talent/schemas/newsletter/categories";

import type { Answer, ApiClient, ApiReader } from "../../../api-client/request.ts";
import { isLanguage } from "../../../i18n/languages.ts";
import { textIn } from "../text-in.ts";
import type { Preferences, Subscriber } from "./preferences-view.ts";

/** The calls throw when there is no answer. */
export type PreferencesResult =
  | { kind: "known"; subscriber: Subscriber }
  | { kind: "unknown" | "failed" };
export type LeaveResult = { kind: "left" | "unknown" | "failed" };

function topicsIn(body: unknown): Preferences["topics"] {
  if (typeof body !== "object" || body === null) return [];
  const topics: unknown = Reflect.get(body, "topics");
  return newsletterTopics.filter((topic) => Array.isArray(topics) && topics.includes(topic));
}

function subscriberIn(body: unknown): Subscriber | undefined {
  // The address of a former subscriber may be erased.
  const email = textIn(body, "email") ?? "";
  const language = textIn(body, "language");
  const frequency = newsletterFrequencies.find((name) => name === textIn(body, "frequency"));
  if (frequency === undefined || !isLanguage(language)) return undefined;
  const subscribed = textIn(body, "status") === "subscribed";
  return { email, language, frequency, topics: topicsIn(body), subscribed };
}

const isUnknown = ({ status }: Answer): boolean => status === 404 || status === 422;

export function preferencesResultOf(answer: Answer): PreferencesResult {
  if (isUnknown(answer)) return { kind: "unknown" };
  const subscriber = answer.ok ? subscriberIn(answer.body) : undefined;
  return subscriber === undefined ? { kind: "failed" } : { kind: "known", subscriber };
}

export function leaveResultOf(answer: Answer): LeaveResult {
  if (answer.ok) return { kind: "left" };
  return { kind: isUnknown(answer) ? "unknown" : "failed" };
}

/** @throws when there is no answer */
export async function loadPreferences(
  api: Pick<ApiReader, "get">,
  token: string,
): Promise<PreferencesResult> {
  const answer = await api.get(`${newsletterPaths.preferences}?token=${token}`);
  return preferencesResultOf(answer);
}

/** @throws when there is no answer */
export async function savePreferences(
  api: Pick<ApiClient, "post">,
  token: string,
  { language, frequency, topics }: Preferences,
): Promise<PreferencesResult> {
  const body: PreferencesRequest = { token, language, frequency, topics: [...topics] };
  return preferencesResultOf(await api.post(newsletterPaths.preferences, { body }));
}

/** @throws when there is no answer */
export async function unsubscribe(
  api: Pick<ApiClient, "post">,
  token: string,
): Promise<LeaveResult> {
  return leaveResultOf(await api.post(newsletterPaths.unsubscribe, { body: { token } }));
}
