import { fields, type Holding } from "./classes.ts";

const WITH_SOURCE = "As long as the events that it is made from; an erased subscriber has no row";
const WITH_ISSUE = "As long as the issue";

const subscriber = { subscriber_id: "Names the subscriber; the address is sealed elsewhere" };
const wishes = {
  language: "Of the letters",
  frequency: "How often",
  topics: "About what",
};
const event = { pos: "Event that it comes from" };

/** The newsletter's tables in schema `ledger`: who is written to, what was sent. */
export const newsletterHoldings: Holding[] = [
  {
    store: "postgres",
    name: "ledger.newsletter_standing",
    purpose: "Whether a subscriber may be written to",
    retention: WITH_SOURCE,
    fields: fields({
      pseudonym: subscriber,
      coarse: { status: "Pending, confirmed, or ended, and how" },
      operational: event,
    }),
  },
  {
    store: "postgres",
    name: "ledger.newsletter_wishes",
    purpose: "What a subscriber wishes for",
    retention: WITH_SOURCE,
    fields: fields({ pseudonym: subscriber, coarse: wishes, operational: event }),
  },
  {
    store: "postgres",
    name: "ledger.newsletter_subscriber",
    purpose: "Both together: whom an issue is for",
    retention: "Keeps nothing",
    shows: "ledger.newsletter_standing",
    fields: fields({
      pseudonym: subscriber,
      coarse: {
        status: "Pending, confirmed, or ended, and how",
        confirmed: "By status",
        ...wishes,
      },
      operational: event,
    }),
  },
  {
    store: "postgres",
    name: "ledger.issue_content",
    purpose: "What was written in an issue, so that nothing can be exchanged after its release",
    retention: WITH_ISSUE,
    fields: fields({
      content: { content: "The issue in both languages, written by us" },
      operational: { content_hash: "Proves it", kept_at: "When it was handed in" },
    }),
  },
  {
    store: "postgres",
    name: "ledger.newsletter_issue",
    purpose: "Released issues",
    retention: WITH_ISSUE,
    fields: fields({
      content: { slug: "The administrator's name for it", topics: "What it is about" },
      operational: {
        issue_id: "Names the issue",
        frequencies: "Readers of which frequency it is for",
        content_hash: "What was written",
        ...event,
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.issue_part",
    purpose: "How far the delivery of an issue has come",
    retention: WITH_ISSUE,
    fields: fields({
      operational: { issue_id: "Which issue", part: "Which part", begun_at: "When it began" },
    }),
  },
  {
    store: "postgres",
    name: "ledger.issue_delivery",
    purpose: "What became of each letter, so that nobody gets two",
    retention: WITH_ISSUE,
    fields: fields({
      pseudonym: subscriber,
      coarse: { state: "Waiting, sent, skipped or refused" },
      operational: {
        issue_id: "Which issue",
        tries: "How often the mail server put it off",
        due_at: "When it is tried next",
        settled_at: "When its state became final",
      },
    }),
  },
];
