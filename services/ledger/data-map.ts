import { keepSchedules } from "@pro-talent/platform/queue/connect-queue";
import { searchQueue } from "@pro-talent/platform/queue/search-queue";
import {
  type Asset,
  type DataMap,
  defineDataMap,
  scannedBy,
} from "@pro-talent/schemas/primitives/data-map";
import { retentionPeriods } from "@pro-talent/schemas/primitives/retention-periods";

import { analystQueriesDataMap } from "./domains/analyst-queries/data-map.ts";
import { analystWorkDataMap } from "./domains/analyst-work/data-map.ts";
import { applicationsDataMap } from "./domains/applications/data-map.ts";
import { billingDataMap } from "./domains/billing/data-map.ts";
import { breachesDataMap } from "./domains/breaches/data-map.ts";
import { consentDataMap } from "./domains/consent/data-map.ts";
import { operatorsHeld } from "./domains/contact/contact-messages.ts";
import { contactDataMap } from "./domains/contact/data-map.ts";
import { inactivityDataMap } from "./domains/inactivity/data-map.ts";
import { invoicesDataMap } from "./domains/invoices/data-map.ts";
import { legalChangesDataMap } from "./domains/legal-changes/data-map.ts";
import { linkWebhooksDataMap } from "./domains/link-webhooks/data-map.ts";
import { linksDataMap } from "./domains/links/data-map.ts";
import { newsletterDataMap } from "./domains/newsletter/data-map.ts";
import { newsletterHeld } from "./domains/newsletter/held-newsletter.ts";
import { privacyDataMap } from "./domains/privacy/data-map.ts";
import { heldAbout } from "./domains/privacy/held.ts";
import { searchFiles } from "./domains/privacy/search/search-files.ts";
import { searchLedger } from "./domains/privacy/search/search-ledger.ts";
import { waitlistDataMap } from "./domains/waitlist/data-map.ts";
import { releaseMailbox } from "./kernel/mailboxes.ts";

const forgottenBy = { by: "job", job: "ledger.forget-records" } as const;
const referencesOnly: Pick<Asset, "exporter"> = { exporter: { by: "references-only" } };
/** Names people by ids alone, which lead to no one without the key of the subject. */
const unlinked: Pick<Asset, "retention" | "eraser" | "exporter"> = {
  retention: { clock: "platform-closed", enforcedBy: { by: "ledger" } },
  eraser: { by: "unlinked", from: "ledger.subject" },
  ...referencesOnly,
};

const records = defineDataMap({
  activity: {
    id: "records-of-decisions",
    name: { en: "Records of decisions", he: "תיעוד החלטות" },
    purpose: {
      en: "Proving what was decided and done, in an order that cannot be changed; personal details are encrypted under a key for each person",
      he: "הוכחת מה שהוחלט ונעשה, בסדר שאי אפשר לשנות; הפרטים האישיים מוצפנים במפתח נפרד לכל אדם",
    },
    basis: "legitimate-interest",
    subjects: ["account-holders", "correspondents", "subscribers", "visitors"],
    recipients: [],
  },
  assets: {
    postgres: {
      "ledger.event": {
        fields: { data: "reference" },
        retention: {
          clock: "person-erased",
          enforcedBy: { by: "code", code: { sql: "ledger.shred_subject" } },
        },
        eraser: { by: "key", code: { sql: "ledger.shred_subject" } },
        exporter: { by: "code", code: heldAbout },
      },
      "ledger.subject": {
        retention: {
          clock: "person-erased",
          enforcedBy: { by: "code", code: { sql: "ledger.shred_subject" } },
        },
        eraser: { by: "rows", code: { sql: "ledger.shred_subject" } },
        exporter: { by: "secret" },
      },
      "ledger.command": { fields: { reply: "reference" }, ...unlinked },
      "ledger.due_timer": unlinked,
      "ledger.outbox": {
        ...unlinked,
        retention: { clock: "settled", after: retentionPeriods.messages, enforcedBy: forgottenBy },
      },
      "ledger.snapshot": { fields: { state: "reference" }, ...unlinked },
      "ledger.stream": unlinked,
    },
    queue: {
      "ledger.deliver-message": {
        fields: { outboxId: "reference" },
        retention: {
          clock: "ended",
          after: retentionPeriods.jobs,
          enforcedBy: { by: "queue" },
        },
        eraser: { by: "unlinked", from: "ledger.outbox" },
        ...referencesOnly,
      },
    },
  },
});

const mailboxes = defineDataMap({
  activity: {
    id: "mailboxes",
    name: { en: "Mailboxes that receive nothing more", he: "תיבות דואר שאין לכתוב אליהן" },
    purpose: {
      en: "Sending nothing to those who asked for nothing more, and limiting mails to one mailbox",
      he: "הימנעות ממשלוח דואר למי שביקשו לא לקבל, והגבלת מספר ההודעות לתיבה אחת",
    },
    basis: "legal-obligation",
    subjects: ["subscribers", "correspondents"],
    recipients: [],
  },
  assets: {
    postgres: {
      "ledger.do_not_mail": {
        retention: {
          clock: "holder-removes",
          enforcedBy: { by: "code", code: releaseMailbox },
        },
        eraser: { by: "refusal", code: releaseMailbox },
        exporter: { by: "code", code: newsletterHeld.collect, textsBy: "person" },
      },
      "ledger.mailbox_mail": {
        retention: {
          clock: "recorded",
          after: retentionPeriods.countedMails,
          enforcedBy: { by: "job", job: "ledger.forget-mailbox-mails" },
        },
        eraser: { by: "expiry", code: { sql: "ledger.forget_mailbox_mails" } },
        ...referencesOnly,
      },
    },
  },
});

const operation = defineDataMap({
  activity: {
    id: "operation",
    name: { en: "Operation of the platform", he: "תפעול המערכת" },
    purpose: {
      en: "Finding out which operator did what, and waking workers",
      he: "בירור איזה מפעיל עשה מה, והפעלת תהליכי רקע",
    },
    basis: "legitimate-interest",
    subjects: ["staff"],
    recipients: [],
  },
  assets: {
    postgres: {
      "ledger.operator_action": {
        fields: { action: "personal", at: "personal", operator: "personal" },
        retention: {
          clock: "recorded",
          after: retentionPeriods.operatorActions,
          enforcedBy: forgottenBy,
        },
        eraser: {
          by: "law",
          law: "israel-data-security",
          code: { sql: "ledger.forget_records" },
        },
        exporter: { by: "code", code: operatorsHeld.collect, textsBy: "person" },
      },
    },
    queue: {
      "bullmq.job": {
        retention: {
          clock: "ended",
          after: retentionPeriods.jobs,
          enforcedBy: { by: "queue" },
        },
        eraser: { by: "unlinked", from: "ledger.outbox" },
        ...referencesOnly,
      },
      "bullmq.scheduler": {
        fields: { template_data: "none" },
        retention: {
          clock: "replaced",
          enforcedBy: { by: "code", code: keepSchedules },
        },
      },
    },
    mail: {
      // The signed head of the ledger, for the outside verifier.
      "services/ledger/heads/publish-heads.ts": {
        fields: { head: "none" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
      },
    },
  },
});

/** What the ledger stores of people: its own tables, and those of its domains. */
export const ledgerDataMaps: readonly DataMap[] = scannedBy(
  [
    records,
    mailboxes,
    operation,
    applicationsDataMap,
    analystQueriesDataMap,
    analystWorkDataMap,
    billingDataMap,
    breachesDataMap,
    consentDataMap,
    contactDataMap,
    inactivityDataMap,
    invoicesDataMap,
    legalChangesDataMap,
    linksDataMap,
    linkWebhooksDataMap,
    newsletterDataMap,
    privacyDataMap,
    waitlistDataMap,
  ],
  { postgres: searchLedger, queue: searchQueue, files: searchFiles },
);
