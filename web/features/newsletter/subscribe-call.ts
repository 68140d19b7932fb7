import {
  alreadySubscribedStatus,
  alreadySubscribedWords,
  type SourceContext,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import type { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { z } from "zod";

import type { Answer, ApiClient } from "../../api-client/request.ts";
import type { Outcome, Wish } from "./subscription.ts";
import { textIn } from "./text-in.ts";

type Body = z.input<typeof SubscribeRequest>;

/** What an answer means to the visitor (specification §8). */
export function outcomeOf(answer: Answer): Outcome {
  const error = textIn(answer.body, "error");
  const known = error?.toLowerCase().includes(alreadySubscribedWords) ?? false;
  if (known || textIn(answer.body, "status") === alreadySubscribedStatus)
    return { kind: "already" };
  if (answer.ok) return { kind: "subscribed" };
  if (error === undefined) return { kind: "refused" };
  return { kind: "refused", text: error.slice(0, newsletterLimits.errorCharsMax) };
}

/** The body of the call: what was entered, what was shown, and the defaults of the form. */
export function subscriptionBody({ entry, shown }: Wish, sourceContext: SourceContext): Body {
  const { preferences, tags } = subscriptionDefaults[sourceContext];
  return {
    email: entry.email.trim(),
    language: shown.language,
    sourceContext,
    consentText: shown.consentText,
    preferences: { frequency: preferences.frequency, topics: [...preferences.topics] },
    tags: [...tags],
    ...(entry.website === "" ? {} : { website: entry.website }),
  };
}

/** @throws when nothing answered */
export async function subscribe(
  api: ApiClient,
  wish: Wish,
  sourceContext: SourceContext,
): Promise<Outcome> {
  return outcomeOf(await api.post(subscribePath, { body: subscriptionBody(wish, sourceContext) }));
}
