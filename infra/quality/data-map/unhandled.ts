import type { Kinds } from "./compare-data-maps.ts";

/**
 * Assets about people that nothing erases, exports or scans yet. A new asset comes with what handles it:
 * lines are removed from here, none is added.
 */
export const unhandled: Readonly<Record<Kinds, readonly string[]>> = {
  eraser: [],
  exporter: [
    "accounts.access_token",
    "accounts.account",
    "accounts.account_opening",
    "accounts.known_device",
    "accounts.links_looked",
    "accounts.passkey",
    "accounts.photo",
    "accounts.public_page",
    "accounts.recovery",
    "accounts.role_change",
    "accounts.sign_in_session",
    "ledger.billing_entitlement",
    "ledger.consent_current",
    "ledger.consent_receipt",
    "ledger.contact_inbox",
    "ledger.event",
    "ledger.issue_delivery",
    "ledger.issued_document",
    "ledger.link",
    "ledger.link_webhook",
    "ledger.newsletter_subscriber",
    "ledger.operator_action",
    "ledger.waitlist_place",
    "link_reports",
    "services/ledger/domains/links/stored-files.ts",
  ],
  scanner: [],
};
