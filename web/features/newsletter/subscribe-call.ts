import {
  alreadySubscribedStatus,
  alreadySubscribedWords,
  type SourceContext,
  sourceContexts,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { Locale } from "@pro-talent/schemas/primitives/locale";

import { newEventId } from "../../analytics/event-id.ts";
import type { ApiClient, CallInput, CallResult } from "../../api-client/request.ts";
import { fallbackLanguage, isLanguage } from "../../i18n/languages.ts";
import { textIn } from "../form-machine.ts";

const call = "POST /api/newsletter/subscribe";

/** What a form submits. Only programs fill in `website`. */
export type SubscribeEntry = {
  email: string;
  language: Locale;
  sourceContext: SourceContext;
  /** The text that was agreed to; empty without consent. */
  consentText: string;
  website: string;
};

export type SubscribeResult =
  | { kind: "subscribed" }
  | { kind: "already" }
  /** With the server's own text, if it sent one. */
  | { kind: "refused"; text?: string };

export function readEntry(data: FormData): SubscribeEntry {
  const language = data.get("language");
  const source = data.get("sourceContext");
  return {
    email: textIn(data, "email").trim(),
    language: isLanguage(language) ? language : fallbackLanguage,
    sourceContext: sourceContexts.find((name) => name === source) ?? "footer_form",
    consentText: textIn(data, "consentText"),
    website: textIn(data, "website"),
  };
}

/** The entry with the defaults of its form (specification §3). */
export function subscribeBody({
  website,
  ...entry
}: SubscribeEntry): CallInput<typeof call>["body"] {
  const { preferences, tags } = subscriptionDefaults[entry.sourceContext];
  return {
    ...entry,
    preferences: { frequency: preferences.frequency, topics: [...preferences.topics] },
    tags: [...tags],
    ...(website === "" ? {} : { website }),
  };
}

/** The result of an answer (specification §8). */
export function resultOf(result: CallResult<typeof call>): SubscribeResult {
  const { status, error } = result.ok
    ? { status: result.answer?.status, error: undefined }
    : { status: result.code, error: result.error };
  const known = error?.toLowerCase().includes(alreadySubscribedWords) ?? false;
  if (known || status === alreadySubscribedStatus) return { kind: "already" };
  if (result.ok) return { kind: "subscribed" };
  if (error === undefined) return { kind: "refused" };
  return { kind: "refused", text: error.slice(0, newsletterLimits.errorCharsMax) };
}

/** @throws when there is no answer */
export async function subscribe(api: ApiClient, entry: SubscribeEntry): Promise<SubscribeResult> {
  const headers = { "idempotency-key": newEventId(Date.now()) };
  return resultOf(await api.call(call, { headers, body: subscribeBody(entry) }));
}
