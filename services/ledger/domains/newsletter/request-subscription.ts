import type { SubscribeRequest } from "@pro-talent/schemas/newsletter/http";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { EventStore } from "../event-store/event-store.ts";
import { refuse } from "../event-store/types.ts";
import type { Subjects } from "../subjects/subjects.ts";
import { agreementOn } from "./agreed-text.ts";
import { commandSubscriber, type NewsletterOutcome } from "./newsletter-command.ts";

/** More than one only if the subscriber is erased at this very moment. */
const attemptsMax = 3;

/** Takes up a wish to be written to: the address sealed, everything else as a fact. */
export async function requestSubscription(
  { store, subjects }: { readonly store: EventStore; readonly subjects: Subjects },
  request: SubscribeRequest,
  { now, commandId }: { readonly now: Instant; readonly commandId: string | undefined },
): Promise<NewsletterOutcome> {
  const { email, language, sourceContext, preferences, tags } = request;
  const { agreed, ownWords } = agreementOn(request.consentText, language);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const subscriber = await subjects.subscriber(email);
    const outcome = await commandSubscriber(store, {
      subscriberId: subscriber.id,
      command: {
        type: "RequestSubscription",
        language,
        sourceContext,
        agreed,
        tags,
        ...preferences,
      },
      now,
      commandId,
      address: subscriber.seal({ email, agreedText: ownWords }),
    });
    if (outcome.kind !== "refusal" || outcome.code !== "subscriber_erased") return outcome;
    // The key is as good as gone: whoever finds it there finishes that, and the address is new.
    await subjects.shred(subscriber.id);
  }
  return refuse("version_conflict");
}
