import { tablesWithIds } from "@pro-talent/schemas/primitives/data-map";

import { ledgerDataMaps } from "./data-map.ts";
import { accountConsents, accounts, closeAccount } from "./domains/accounts/module.ts";
import { billing, billingConsents, billingEraser, billingHeld } from "./domains/billing/module.ts";
import { consent } from "./domains/consent/module.ts";
import { contactEraser, contactHeld } from "./domains/contact/contact-messages.ts";
import { contact } from "./domains/contact/module.ts";
import { invoicesHeld } from "./domains/invoices/invoices.ts";
import { invoicing } from "./domains/invoices/module.ts";
import { linkWebhooks } from "./domains/link-webhooks/module.ts";
import { webhooksEraser } from "./domains/link-webhooks/webhooks.ts";
import { linksEraser, linksHeld, openMailsEraser } from "./domains/links/erase-links.ts";
import { links } from "./domains/links/module.ts";
import { newsletter } from "./domains/newsletter/module.ts";
import {
  newsletterConsents,
  newsletterEraser,
  newsletterHeld,
} from "./domains/newsletter/subscribers.ts";
import { privacyModule } from "./domains/privacy/module.ts";
import { activities, processing } from "./domains/processing/module.ts";
import { waitlist } from "./domains/waitlist/module.ts";
import type { ConsentSource, HeldSource } from "./held.ts";
import { checkModules, type DomainModule } from "./kernel/module.ts";

/** What the domains hold about an account. */
export const heldSources: readonly HeldSource[] = [
  billingHeld,
  invoicesHeld,
  linksHeld,
  newsletterHeld,
  contactHeld,
];

/** What account holders agreed to, and withdrew. */
export const consentSources: readonly ConsentSource[] = [
  accountConsents,
  billingConsents,
  newsletterConsents,
];

/** What is found by the address of a person comes before their account, which the module adds. */
const privacy = privacyModule({
  erasers: [
    billingEraser,
    linksEraser,
    webhooksEraser,
    openMailsEraser,
    newsletterEraser,
    contactEraser,
  ],
  held: heldSources,
  consents: consentSources,
  keepsIds: tablesWithIds(ledgerDataMaps),
  activities: activities.filter(({ subjects }) => subjects.includes("account-holders")),
  closeAccount,
});

/** The domains of the ledger. */
export const modules: readonly DomainModule[] = checkModules([
  accounts,
  billing,
  consent,
  contact,
  invoicing,
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
