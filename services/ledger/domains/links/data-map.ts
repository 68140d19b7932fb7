import { defineDataMap } from "@pro-talent/schemas/primitives/data-map";

import { linksHeld } from "./held-links.ts";
import { readFileOf, removeFile } from "./stored-files.ts";

/** What share links store of their owners. */
export const linksDataMap = defineDataMap({
  activity: {
    id: "links",
    name: { en: "Shared links and files", he: "קישורים וקבצים לשיתוף" },
    purpose: {
      en: "Opening files and addresses that a holder shares by links",
      he: "פתיחת קבצים וכתובות שבעל החשבון משתף בקישורים",
    },
    basis: "contract",
    subjects: ["account-holders"],
    recipients: ["public", "mail-provider"],
  },
  assets: {
    postgres: {
      "ledger.link": {
        fields: { created_at: "personal", reported_at: "personal", reports: "personal" },
        retention: { clock: "holder-removes", enforcedBy: { by: "event", type: "LinkErased" } },
        eraser: { by: "event", type: "LinkErased" },
        exporter: { by: "code", code: linksHeld.collect, textsBy: "person" },
      },
      "ledger.link_open_mail": {
        retention: {
          clock: "account-deleted",
          enforcedBy: { by: "event", type: "OpenMailsEnded" },
        },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "references-only" },
      },
      "ledger.portfolio_report": {
        fields: { last_at: "personal", reports: "personal", taken_down: "personal" },
        retention: {
          clock: "account-deleted",
          enforcedBy: { by: "event", type: "PortfolioForgotten" },
        },
        eraser: { by: "unlinked", from: "accounts.account" },
        exporter: { by: "code", code: linksHeld.collect, textsBy: "person" },
      },
      "ledger.reader_message": {
        retention: { clock: "delivered", enforcedBy: { by: "event", type: "ReaderMessageErased" } },
        eraser: { by: "event", type: "ReaderMessageErased" },
        exporter: { by: "references-only" },
      },
    },
    mail: {
      "services/ledger/domains/links/reader-messages/mail.ts": {
        fields: { recipient: "personal", name: "personal", message: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
      "services/ledger/domains/links/open-mails/mail.ts": {
        fields: { recipient: "personal", link: "personal", opens: "personal", country: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "ledger.event" },
        scanner: { by: "not-stored" },
      },
    },
    files: {
      "services/ledger/domains/links/stored-files.ts": {
        fields: { name: "reference", content: "sealed" },
        retention: { clock: "holder-removes", enforcedBy: { by: "code", code: removeFile } },
        eraser: { by: "rows", code: removeFile },
        exporter: { by: "code", code: readFileOf },
      },
    },
    export: {
      "GET /internal/links/:linkId/file": {
        fields: { content: "personal" },
        retention: { clock: "delivered", enforcedBy: { by: "not-stored" } },
        eraser: { by: "not-stored" },
        exporter: { by: "copy-of", asset: "services/ledger/domains/links/stored-files.ts" },
        scanner: { by: "not-stored" },
      },
    },
  },
});
