import type { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import {
  alreadySubscribedStatus,
  alreadySubscribedWords,
  type SourceContext,
  subscribePath,
  subscriptionDefaults,
} from "@pro-talent/schemas/newsletter/categories";
import { newsletterLimits } from "@pro-talent/schemas/newsletter/limits";
import type { z } from "zod";

import type { Answer, ApiClient } from "../../api-client/request.ts";
import type { SubscribeInput, SubscribeResult } from "./subscribe.ts";
import { textIn } from "./text-in.ts";

type Body = z.input<typeof SubscribeRequest>;

/** The result of an answer (specification §8). */
export function resultOf(answer: Answer): SubscribeResult {
  const error = textIn(answer.body, "error");
  const known = error?.toLowerCase().includes(alreadySubscribedWords) ?? false;
  if (known || textIn(answer.body, "status") === alreadySubscribedStatus)
    return { kind: "already" };
  if (answer.ok) return { kind: "subscribed" };
  if (error === undefined) return { kind: "refused" };
  return { kind: "refused", text: error.slice(0, newsletterLimits.errorCharsMax) };
}

/** The entry, what was shown, and the defaults of the form. */
export function subscribeBody(
  { entry, shown }: SubscribeInput,
  sourceContext: SourceContext,
): Body {
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

/** @throws when there is no answer */
export async function subscribe(
  api: ApiClient,
  input: SubscribeInput,
  sourceContext: SourceContext,
): Promise<SubscribeResult> {
  return resultOf(await api.post(subscribePath, { body: subscribeBody(input, sourceContext) }));
}
