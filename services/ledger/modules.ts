import { accounts } from "./domains/accounts/module.ts";
import { billing } from "./domains/billing/module.ts";
import { consent } from "./domains/consent/module.ts";
import { contact } from "./domains/contact/module.ts";
import { invoicing } from "./domains/invoices/module.ts";
import { linkWebhooks } from "./domains/link-webhooks/module.ts";
import { links } from "./domains/links/module.ts";
import { newsletter } from "./domains/newsletter/module.ts";
import { privacy } from "./domains/privacy/module.ts";
import { processing } from "./domains/processing/module.ts";
import { waitlist } from "./domains/waitlist/module.ts";
import { checkModules, type DomainModule } from "./kernel/module.ts";

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
