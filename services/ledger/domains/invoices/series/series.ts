import { SeriesEvent, SeriesState } from "@pro-talent/schemas/invoices/events";

import type { StreamDefinition } from "../../../kernel/commands.ts";
import { defineEvents } from "../../../kernel/events.ts";
import { column, optional, readModel } from "../../../kernel/read-model.ts";
import { defineSnapshot } from "../../../kernel/streams.ts";
import { type IssueDocument, seriesDecider, type SeriesRefusalCode } from "./series.decider.ts";

/** The events of one series of numbers. */
export const seriesEvents = defineEvents("series", SeriesEvent);

/** A series is read from its snapshot on, whose size does not depend on the number of documents. */
export const series: StreamDefinition<SeriesState, IssueDocument, SeriesEvent, SeriesRefusalCode> =
  {
    events: seriesEvents,
    decider: seriesDecider,
    durableWith: "each append",
    snapshot: defineSnapshot(1, SeriesState),
    reply: (_state, [issued]) => ({
      number: issued?.data.number ?? 0,
      label: issued?.data.label ?? "",
      issuedOn: issued?.data.issuedOn ?? "",
      rate: issued?.data.shekels?.rate ?? null,
    }),
  };

/** All documents that were issued, for their buyers' lists and for bookkeeping. */
export const issuedDocuments = readModel({
  table: "issued_document",
  version: 1,
  mode: "following",
  purpose: "Which invoices and credit notes were issued, for their buyers and for bookkeeping",
  retention: "As long as the events that it is built from",
  events: seriesEvents,
  key: { document_id: column.uuid("operational", "Names the document") },
  keyOf: ({ event }) => ({ document_id: event.data.document }),
  columns: {
    account_id: column.uuid("pseudonym", "Names the account that it was issued to"),
    series: column.text("operational", "Its series of numbers"),
    number: column.integer("operational", "Its number in the series"),
    label: column.text("operational", "The number as it is printed"),
    kind: column.text("operational", "Invoice or credit note"),
    charge_id: column.uuid("pseudonym", "Names the payment"),
    corrects: optional(column.text("operational", "The invoice that a credit note corrects")),
    issued_on: column.text("operational", "When it was issued, in the seller's zone"),
    language: column.text("coarse", "The language that it was issued in"),
    currency: column.text("operational", "Currency of its amounts"),
    total: column.integer("coarse", "Its total in minor units"),
    tax: column.integer("coarse", "The taxes in it, in minor units"),
  },
  evolve: (_row, { id, event: { data } }) => ({
    account_id: data.account,
    series: id,
    number: data.number,
    label: data.label,
    kind: data.kind,
    charge_id: data.charge,
    corrects: data.corrects?.label ?? null,
    issued_on: data.issuedOn,
    language: data.language,
    currency: data.currency,
    total: data.total,
    tax: data.total - data.net,
  }),
  indexes: [{ on: "(account_id, issued_on)" }, { on: "(series, number)", unique: true }],
});
