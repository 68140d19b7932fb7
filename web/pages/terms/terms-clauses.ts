import type { ParseKeys } from "i18next";

import type { Clause } from "../legal/clauses.tsx";

type TermsClause = Clause<ParseKeys<"terms">>;

const serviceClauses: readonly TermsClause[] = [
  { id: "who", title: "who.title", text: ["who.body", "who.scope", "who.details"] },
  {
    id: "service",
    title: "service.title",
    text: [
      "service.intro",
      ["service.cv", "service.portfolio", "service.links", "service.tracker"],
      "service.limits",
    ],
  },
  {
    id: "eligibility",
    title: "eligibility.title",
    text: ["eligibility.age", "eligibility.personal"],
  },
  {
    id: "waitlist",
    title: "waitlist.title",
    text: ["waitlist.body", "waitlist.confirm", "waitlist.offers"],
  },
  {
    id: "account",
    title: "account.title",
    text: ["account.body", ["account.correct", "account.secret", "account.report"]],
  },
];

const paymentClauses: readonly TermsClause[] = [
  { id: "plans", title: "plans.title", text: ["plans.body", "plans.total"] },
  {
    id: "renewal",
    title: "renewal.title",
    text: ["renewal.body", "renewal.reminder", "renewal.provider"],
  },
  {
    id: "cancel",
    title: "cancel.title",
    text: ["cancel.body", ["cancel.early", "cancel.later"], "cancel.refund", "cancel.law"],
  },
  { id: "switching", title: "switching.title", text: ["switching.up", "switching.down"] },
  {
    id: "changes",
    title: "changes.title",
    text: ["changes.price", "changes.terms", "changes.choice"],
  },
];

const useClauses: readonly TermsClause[] = [
  {
    id: "content",
    title: "content.title",
    text: ["content.yours", "content.licence", "content.end", "content.never", "content.answer"],
  },
  { id: "links", title: "links.title", text: ["links.what", "links.respect"] },
  {
    id: "use",
    title: "use.title",
    text: [
      "use.intro",
      ["use.false", "use.harm", "use.others", "use.spam", "use.break", "use.collect"],
    ],
  },
  { id: "ours", title: "ours.title", text: ["ours.body", "ours.ideas"] },
];

const endClauses: readonly TermsClause[] = [
  {
    id: "availability",
    title: "availability.title",
    text: ["availability.body", "availability.change", "availability.close"],
  },
  { id: "ending", title: "ending.title", text: ["ending.you", "ending.after", "ending.we"] },
  { id: "inactivity", title: "inactivity.title", text: ["inactivity.body"] },
  {
    id: "liability",
    title: "liability.title",
    text: [
      "liability.body",
      "liability.intro",
      ["liability.employers", "liability.public", "liability.indirect"],
      "liability.limit",
      "liability.never",
    ],
  },
  {
    id: "law",
    title: "law.title",
    text: ["law.body", "law.consumer", "law.first", "law.language"],
  },
  { id: "contact", title: "contact.title", text: [] },
];

/** In the order of the terms; a section's number is its position. */
export const termsClauses: readonly TermsClause[] = [
  ...serviceClauses,
  ...paymentClauses,
  ...useClauses,
  ...endClauses,
];
