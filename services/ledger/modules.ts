import { exportsOthersTexts, tablesWithIds } from "@pro-talent/schemas/primitives/data-map";

import { cvsOver } from "./cvs.ts";
import { ledgerDataMaps } from "./data-map.ts";
import {
  accountConsents,
  accountEvents,
  accountRecipients,
  accounts,
  closeAccount,
} from "./domains/accounts/module.ts";
import { queriesHeld } from "./domains/analyst-queries/held-queries.ts";
import { analystQueriesModule } from "./domains/analyst-queries/module.ts";
import { savedWorkEraser } from "./domains/analyst-work/erase-work.ts";
import { savedWorkHeld } from "./domains/analyst-work/held-work.ts";
import { analystWork } from "./domains/analyst-work/module.ts";
import { applicationsEraser } from "./domains/applications/erase-applications.ts";
import { applicationsHeld } from "./domains/applications/held-applications.ts";
import { applicationTracker } from "./domains/applications/module.ts";
import {
  billing,
  billingConsents,
  billingEraser,
  billingExemption,
  billingHeld,
  billingRecipients,
  paymentProviderEraser,
} from "./domains/billing/module.ts";
import { breachesModule } from "./domains/breaches/module.ts";
import { consent } from "./domains/consent/module.ts";
import { contactEraser, contactHeld, operatorsHeld } from "./domains/contact/contact-messages.ts";
import { contact } from "./domains/contact/module.ts";
import { inactivityModule, isUsedAgain } from "./domains/inactivity/module.ts";
import { invoicesEraser, invoicesHeld } from "./domains/invoices/held-invoices.ts";
import { invoicing } from "./domains/invoices/module.ts";
import { legalChangesModule } from "./domains/legal-changes/module.ts";
import { linkWebhooks } from "./domains/link-webhooks/module.ts";
import {
  webhookRecipients,
  webhooksEraser,
  webhooksHeld,
} from "./domains/link-webhooks/webhooks.ts";
import { linksEraser, openMailsEraser } from "./domains/links/erase-links.ts";
import { linkRecipients, linksHeld, opensHeldOver } from "./domains/links/held-links.ts";
import { links } from "./domains/links/module.ts";
import { newsletterHeld } from "./domains/newsletter/held-newsletter.ts";
import { newsletter } from "./domains/newsletter/module.ts";
import { noticeContacts } from "./domains/newsletter/notice-contacts.ts";
import {
  newsletterConsents,
  newsletterEraser,
  newsletterEvents,
} from "./domains/newsletter/subscribers.ts";
import { requestExemption } from "./domains/privacy/follow-up.ts";
import { privacyModule } from "./domains/privacy/module.ts";
import {
  activities,
  keptByLaw,
  processing,
  register,
  stores,
} from "./domains/processing/module.ts";
import { waitlist } from "./domains/waitlist/module.ts";
import { waitlistHeld } from "./domains/waitlist/places.ts";
import type { ConsentSource, HeldSource, RecipientSource } from "./held.ts";
import { checkModules, type DomainModule } from "./kernel/module.ts";

/** What the domains hold about an account. */
export const heldSources: readonly HeldSource[] = [
  billingHeld,
  invoicesHeld,
  linksHeld,
  webhooksHeld,
  applicationsHeld,
  newsletterHeld,
  waitlistHeld,
  contactHeld,
  operatorsHeld,
  queriesHeld,
  savedWorkHeld,
];

/** What account holders agreed to, and withdrew. */
export const consentSources: readonly ConsentSource[] = [
  accountConsents,
  billingConsents,
  newsletterConsents,
];

/** Recipients of account holders' data outside the platform. */
export const recipientSources: readonly RecipientSource[] = [
  accountRecipients,
  billingRecipients,
  webhookRecipients,
  linkRecipients,
];

const othersTexts = exportsOthersTexts(ledgerDataMaps);
const mailboxHeld = [newsletterHeld, waitlistHeld, contactHeld];

/** Sections whose texts others than the person may have written, as the data map says. */
export const sectionsByOthers: readonly string[] = [
  ...new Set(
    [...heldSources, ...mailboxHeld]
      .filter(({ collect }) => othersTexts.has(collect))
      .map(({ section }) => section),
  ),
];

/** What is found by the address of a person comes before their account, which the module adds. */
const privacy = privacyModule({
  erasers: [
    billingEraser,
    invoicesEraser,
    paymentProviderEraser,
    linksEraser,
    webhooksEraser,
    openMailsEraser,
    applicationsEraser,
    savedWorkEraser,
    newsletterEraser,
    contactEraser,
  ],
  mailboxErasers: [newsletterEraser, contactEraser],
  held: heldSources,
  mailboxHeld,
  byOthers: sectionsByOthers,
  opensOver: opensHeldOver,
  cvsOver,
  consents: consentSources,
  recipients: recipientSources,
  mailboxConsents: [newsletterConsents],
  keepsIds: tablesWithIds(ledgerDataMaps),
  activities: activities.filter(({ subjects }) => subjects.includes("account-holders")),
  mailboxActivities: activities.filter(({ subjects }) =>
    subjects.some((one) => one === "subscribers" || one === "correspondents"),
  ),
  register,
  keptByLaw,
  closeAccount,
  isUsedAgain,
});

const inactivity = inactivityModule({ exemptions: [billingExemption, requestExemption] });
const breaches = breachesModule({ stores });

const legalChanges = legalChangesModule({
  events: { account: accountEvents, subscriber: newsletterEvents },
  subscribers: noticeContacts,
});

/** The domains of the ledger. */
export const modules: readonly DomainModule[] = checkModules([
  accounts,
  applicationTracker,
  analystQueriesModule,
  analystWork,
  billing,
  breaches,
  consent,
  contact,
  inactivity,
  invoicing,
  legalChanges,
  links,
  linkWebhooks,
  newsletter,
  privacy,
  processing,
  waitlist,
]);

/** The read models of all domains. */
export const readModels = modules.flatMap((module) => module.readModels);

/** The kinds of streams of all domains that have timers or sealed data. */
export const streamKinds = modules.flatMap((module) => module.streams);
