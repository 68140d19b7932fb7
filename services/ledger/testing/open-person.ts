import { randomUUID } from "node:crypto";

import { ApplicationDetails } from "@pro-talent/schemas/applications/application";
import { SubscribeRequest } from "@pro-talent/schemas/newsletter/calls";
import { newsletterConsentTexts } from "@pro-talent/schemas/newsletter/consent-texts";
import type { Instant } from "@pro-talent/schemas/primitives/instant";

import type { AccountCommand } from "../domains/accounts/decider.ts";
import { accountStreams } from "../domains/accounts/module.ts";
import { applicant, commandApplication } from "../domains/applications/applications.ts";
import { sendContactMessage } from "../domains/contact/send-contact-message.ts";
import { newMessage } from "../domains/contact/testing/contact-samples.ts";
import { webhookOwner, webhooks } from "../domains/link-webhooks/webhooks.ts";
import { linkOwner, shareLinks } from "../domains/links/links.ts";
import { requestSubscription } from "../domains/newsletter/request-subscription.ts";
import { type CommandResult, runCommand } from "../kernel/commands.ts";
import { testCause, type TestLedger } from "./create-test-ledger.ts";

async function done(result: Promise<CommandResult<string>>): Promise<void> {
  const { kind } = await result;
  if (kind !== "answer") throw new Error(`Not accepted: ${kind}`);
}

export type Person = {
  readonly accountId: string;
  readonly email: string;
  /** Ids of everything that is sealed of the person. */
  readonly sealed: readonly string[];
};

/** A person who has a link, a webhook, an application, a subscription, a message and a plan that was bought. */
export async function openPerson(ledger: TestLedger, now: Instant): Promise<Person> {
  const why = () => ({ now, cause: testCause() });
  const { subjects } = ledger;
  const [accountId, linkId, webhookId] = [randomUUID(), randomUUID(), randomUUID()];
  const applicationId = randomUUID();
  const email = `${accountId}@example.com`;
  const opened = {
    type: "OpenAccount" as const,
    documents: [
      { document: "terms", language: "he", version: "2026-11-22", textHash: "a".repeat(64) },
    ],
    invitationId: null,
    discountPercent: 0,
  } satisfies AccountCommand;
  await done(
    runCommand(ledger.ledger, accountStreams, {
      ...why(),
      id: accountId,
      command: opened,
      body: {},
    }),
  );
  const description = { target: "external", fileId: null, locked: false, expiresAt: null } as const;
  const link = await subjects.ofOccasion(linkOwner, linkId, email);
  const made = { type: "CreateLink", accountId, custom: false, description } as const;
  const words = { code: "abc", label: "Acme", note: "", url: "https://example.com/", file: null };
  await done(
    runCommand(ledger.ledger, shareLinks, {
      ...why(),
      id: linkId,
      command: made,
      body: {},
      sealed: { ...link.seal({ ...words, passwordHash: null }), type: "LinkDescribed" },
    }),
  );
  const hook = await subjects.ofOccasion(webhookOwner, webhookId, email);
  await done(
    runCommand(ledger.ledger, webhooks, {
      ...why(),
      id: webhookId,
      command: { type: "CreateWebhook", accountId },
      body: {},
      sealed: {
        ...hook.seal({ url: "https://example.com/", secret: "x", former: [] }),
        type: "WebhookSecretIssued",
      },
    }),
  );
  const written = await subjects.ofOccasion(applicant, applicationId, email);
  const sent = { linkIds: [], cv: null };
  const adds = {
    type: "AddApplication",
    accountId,
    stageId: randomUUID(),
    rank: "V",
    sent,
  } as const;
  const details = ApplicationDetails.parse({ company: "Initech" });
  const sealedDetails = { ...written.seal(details), type: "ApplicationDescribed" } as const;
  await done(commandApplication(ledger, applicationId, adds, { ...why(), sealed: sealedDetails }));
  await requestSubscription(ledger, subscription(email), why());
  await sendContactMessage(ledger, newMessage({ email }), why());
  const sealed = await ledger.owner<{ id: string }[]>`
    select subject_id as id from ledger.subject
     where subject_id = any (${[linkId, webhookId, applicationId]}::uuid[])
        or kind in ('newsletter.subscriber', 'contact.sender')
       and lookup in (select lookup from ledger.subject where subject_id = ${linkId})`;
  return { accountId, email, sealed: sealed.map(({ id }) => id) };
}

const [consentText] = newsletterConsentTexts;
const subscription = (email: string) =>
  SubscribeRequest.parse({
    email,
    language: "en",
    sourceContext: "footer_form",
    consentText: consentText?.text.en,
    preferences: { language: "en", frequency: "weekly", topics: ["updates"] },
    tags: [],
  });
