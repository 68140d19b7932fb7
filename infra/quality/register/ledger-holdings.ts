import { fields, type Holding } from "./classes.ts";
import { newsletterHoldings } from "./newsletter-holdings.ts";

const FACT =
  "For the life of the ledger; personal data stands only in `sealed`, which can be destroyed";
const WITH_SOURCE = "As long as the events that it is made from";

/** Everything in schema `ledger` of Postgres. */
export const ledgerHoldings: Holding[] = [
  {
    store: "postgres",
    name: "ledger.event",
    purpose: "What people decided, as facts that nobody can change",
    retention: FACT,
    fields: fields({
      pseudonym: {
        stream: "Which subject the fact is about; holds a pseudonym or an account id",
        meta: "Ids of cause and correlation",
      },
      content: {
        data: "The fact, free of personal data",
        sealed: "Personal data of the fact, encrypted under a key of its subject",
      },
      operational: {
        pos: "Place in the one sequence",
        epoch: "Counts restored backups",
        version: "Place in the stream",
        event_id: "Names the event",
        command_id: "Names the command that led to it",
        type: "What happened",
        schema_version: "Form of the data",
        occurred_at: "When it happened, by the caller",
        recorded_at: "When it was written, by the database",
        key_id: "Names the key of the sealed part",
        sealed_hash: "Proves the sealed part, also after its destruction",
        prev: "Hash of the event before",
        hash: "Hash of this event",
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.stream",
    purpose: "The current version of each stream",
    retention: FACT,
    fields: fields({
      pseudonym: { stream: "Which subject the stream is about" },
      operational: { category: "Kind of stream", version: "Number of its last event" },
    }),
  },
  {
    store: "postgres",
    name: "ledger.head",
    purpose: "The end of the hash chain",
    retention: "One row, always",
    fields: fields({
      operational: {
        one: "Keeps it at one row",
        epoch: "Counts restored backups",
        pos: "Last place",
        hash: "Last hash",
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.command",
    purpose: "The answer that was given to a command, to repeat it word for word",
    retention: FACT,
    fields: fields({
      content: { reply: "The stored answer: ids, times and the decision" },
      operational: {
        command_id: "Names the command",
        body_hash: "Tells a repetition from another command under the same id",
        first_pos: "First event of the command",
        last_pos: "Last event of the command",
        at: "When it was answered",
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.consent_current",
    purpose: "Whether a visitor consents now; the gate of all collection",
    retention: WITH_SOURCE,
    fields: fields({
      pseudonym: { visitor_id: "Keyed pseudonym of the anonymous id" },
      coarse: { granted: "The decision" },
      operational: { purpose: "What is consented to", pos: "Event that it comes from" },
    }),
  },
  {
    store: "postgres",
    name: "ledger.consent_receipt",
    purpose: "Proof of each consent decision that left a fact",
    retention: WITH_SOURCE,
    fields: fields({
      pseudonym: {
        visitor_id: "Keyed pseudonym of the anonymous id",
        receipt_id: "Names the receipt",
      },
      coarse: { granted: "The decision", notice_language: "Language of the text that was shown" },
      operational: {
        purpose: "What is consented to",
        method: "Which control was used",
        notice_version: "Version of the text that was shown",
        notice_text_hash: "Proves the text that was shown",
        pos: "Event that it comes from",
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.consent_gate",
    purpose: "All that the collector may read of the ledger",
    retention: "Keeps nothing",
    shows: "ledger.consent_current",
    fields: fields({
      pseudonym: { visitor_id: "Keyed pseudonym of the anonymous id" },
      coarse: { granted: "The decision" },
    }),
  },
  {
    store: "postgres",
    name: "ledger.due_timer",
    purpose: "What is due when; the database owns time",
    retention: WITH_SOURCE,
    fields: fields({
      pseudonym: { stream: "Which subject it is about" },
      operational: {
        name: "Which clock",
        due_at: "When it is due",
        fired_at: "When it was acted on",
        pos: "Event that set it",
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.outbox",
    purpose: "Work that follows from events, on its way to the queue",
    retention: WITH_SOURCE,
    fields: fields({
      pseudonym: { payload: "Ids only" },
      operational: {
        id: "Names the job",
        pos: "Event that asked for it",
        name: "Which job",
        added_at: "When it was asked for",
        turn: "How often it was handed to the queue",
        due_at: "When it is handed on again",
        done_at: "When it was delivered",
        given_up_at: "When it was given up",
      },
    }),
  },
  {
    store: "postgres",
    name: "ledger.subject",
    purpose: "Whose personal data is sealed, and the key that opens it; without the row nobody can",
    retention:
      "Until the subject is erased: an unconfirmed subscriber after 30 days, one who leaves at once, others on request",
    fields: fields({
      pseudonym: {
        subject_id: "Names the subscriber or the sender",
        lookup: "Keyed hash of the address, to find the subject by it",
        wrapped_key: "The subject's key, encrypted under one that is not in the database",
      },
      operational: {
        kind: "Subscriber, or sender of a message",
        wrapping_key_id: "Names the key that wraps",
        created_at: "When it was made",
      },
    }),
  },
  ...newsletterHoldings,
  {
    store: "postgres",
    name: "ledger.checkpoint",
    purpose: "How far a projection has come",
    retention: "One row per projection",
    fields: fields({
      operational: { projection: "Which one", epoch: "In which epoch", pos: "Up to where" },
    }),
  },
  {
    store: "postgres",
    name: "ledger.written_table",
    purpose: "Which tables events write, and by which statement",
    retention: "As long as the tables",
    fields: fields({
      operational: {
        name: "Which table",
        projection: "Which projection owns it",
        mode: "With the append or after it",
        put_sql: "Statement that writes rows",
        gone_sql: "Statement that removes rows",
      },
    }),
  },
  ...["ledger", "collector"].map((schema): Holding => ({
    store: "postgres",
    name: `${schema}.migration`,
    purpose: "Which migrations were applied",
    retention: "For the life of the schema",
    fields: fields({
      operational: {
        name: "Which file",
        hash: "Proves that it did not change",
        applied_at: "When it was applied",
      },
    }),
  })),
];
