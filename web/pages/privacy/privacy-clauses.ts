import type { ParseKeys } from "i18next";

import type { Clause } from "../legal/clauses.tsx";

type PrivacyClause = Clause<ParseKeys<"privacy">>;

const visitClauses: readonly PrivacyClause[] = [
  {
    id: "controller",
    title: "controller.title",
    text: ["controller.body", "controller.scope", "controller.details"],
  },
  { id: "recorded", title: "comparison.title", text: [] },
  {
    id: "without-consent",
    title: "without.title",
    text: ["without.body", "without.technical", "without.default"],
  },
  { id: "with-consent", title: "with.title", text: ["with.body", "with.place", "with.use"] },
  { id: "signals", title: "signals.title", text: ["signals.body"] },
  { id: "withdraw", title: "withdraw.title", text: ["withdraw.body", "withdraw.earlier"] },
  { id: "receipt", title: "receipt.title", text: ["receipt.body", "receipt.where"] },
  { id: "storage", title: "storage.title", text: ["storage.body"] },
];

const givenClauses: readonly PrivacyClause[] = [
  {
    id: "newsletter",
    title: "newsletter.title",
    text: ["newsletter.body", "newsletter.confirm", "newsletter.end"],
  },
  { id: "messages", title: "messages.title", text: ["messages.body"] },
  {
    id: "account",
    title: "account.title",
    text: [
      "account.body",
      ["account.details", "account.content", "account.payment", "account.security"],
    ],
  },
  {
    id: "links",
    title: "links.title",
    text: ["links.body", ["links.hash", "links.place", "links.address", "links.consent"]],
  },
];

const handlingClauses: readonly PrivacyClause[] = [
  { id: "purposes", title: "purposes.title", text: ["purposes.body"] },
  {
    id: "recipients",
    title: "recipients.title",
    text: [
      "recipients.body",
      ["recipients.hosting", "recipients.mail", "recipients.payment", "recipients.authority"],
      "recipients.list",
    ],
  },
  { id: "transfers", title: "transfers.title", text: ["transfers.body"] },
  { id: "retention", title: "retention.title", text: [] },
  { id: "security", title: "security.title", text: ["security.body", "security.access"] },
  { id: "breach", title: "breach.title", text: ["breach.body"] },
];

const rightClauses: readonly PrivacyClause[] = [
  {
    id: "rights",
    title: "rights.title",
    text: [
      "rights.body",
      ["rights.access", "rights.correct", "rights.delete", "rights.object", "rights.withdraw"],
    ],
  },
  {
    id: "requests",
    title: "requests.title",
    text: ["requests.body", "requests.time", "requests.grace", "requests.kept"],
  },
  { id: "complaint", title: "complaint.title", text: ["complaint.body"] },
  { id: "children", title: "children.title", text: ["children.body"] },
  { id: "changes", title: "changes.title", text: ["changes.body"] },
  { id: "contact", title: "contact.title", text: [] },
];

/** In the order of the policy; a section's number is its position. */
export const privacyClauses: readonly PrivacyClause[] = [
  ...visitClauses,
  ...givenClauses,
  ...handlingClauses,
  ...rightClauses,
];
