import { createHash } from "node:crypto";

import type { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import type { AgreedText } from "@pro-talent/schemas/newsletter/events";
import { type Locale, locales } from "@pro-talent/schemas/primitives/locale";
import {
  type AcceptedDocument,
  acceptedDocuments,
} from "@pro-talent/schemas/site/accepted-document";

import type { CommandContext } from "../../kernel/commands.ts";
import type { LedgerContext } from "../../kernel/module.ts";
import { refuse } from "../../kernel/types.ts";
import {
  commandSubscriber,
  newsletterSubscriber,
  readSubscriberState,
  type SubscriberResult,
  type SubscriberStores,
} from "./subscribers.ts";

/** More than one only if the subscriber is erased at this very moment. */
const attemptsMax = 3;

/** Records a request for the newsletter: the address sealed, everything else in the event. */
export async function requestSubscription(
  { ledger, subjects, mailboxes }: SubscriberStores & Pick<LedgerContext, "mailboxes">,
  request: SubscribeRequest,
  context: CommandContext,
): Promise<SubscriberResult> {
  // A request without a mail would end the token of the mail before it.
  if (await mailboxes.isUsedUp(request.email)) return await unmailed({ ledger, subjects }, request);
  const { email, language, sourceContext, preferences, tags } = request;
  const { agreed, documents, foreignText } = agreementOn(request.consentText, language);
  const type = "RequestSubscription";
  const asked = { language, sourceContext, agreed, documents, tags, ...preferences };
  const command = { type, ...asked } as const;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const subscriber = await subjects.withAddress(newsletterSubscriber, email);
    const result = await commandSubscriber(ledger, subscriber.id, command, {
      ...context,
      address: subscriber.seal({ email, agreedText: foreignText }),
    });
    if (result.kind !== "refusal" || result.code !== "subscriber_erased") return result;
    // The erasure was interrupted before the key was destroyed: it is completed, the address is new.
    await subjects.shred(subscriber.id);
  }
  return refuse("version_conflict");
}

/** What is answered to a request that changes nothing. */
async function unmailed(
  { ledger, subjects }: SubscriberStores,
  { email }: SubscribeRequest,
): Promise<SubscriberResult> {
  const id = await subjects.idOfAddress(newsletterSubscriber, email);
  const state = id === undefined ? undefined : await readSubscriberState(ledger, id);
  if (state?.status === "confirmed") return refuse("already_subscribed");
  return { kind: "answer", status: state?.status ?? "none" };
}

/**
 * The proof of what was agreed to, and the text itself where it is not the product's own. Each of the
 * product's texts accepts the terms and the privacy policy.
 */
type Agreement = {
  readonly agreed: AgreedText;
  readonly documents: AcceptedDocument[];
  readonly foreignText: string | null;
};

/** Finds the product's own texts by comparing them whole; `language` is that of all others. */
function agreementOn(text: string, language: Locale): Agreement {
  const textHash = createHash("sha256").update(text, "utf8").digest("hex");
  for (const known of newsletterConsentTexts) {
    const shown = locales.find((locale) => known.text[locale] === text);
    if (shown !== undefined) {
      const agreed = { language: shown, version: known.version, textHash };
      return { agreed, documents: acceptedDocuments(shown), foreignText: null };
    }
  }
  const agreed = { language, version: null, textHash };
  return { agreed, documents: [], foreignText: text };
}

/** The text of a proof, if the product knows it. */
export function agreedText({ version, language }: AgreedText): string | undefined {
  return newsletterConsentTexts.find((known) => known.version === version)?.text[language];
}
