import type { Sql } from "@pro-talent/platform/postgres/pool";
import { type ConsentHistory, ConsentReceipt } from "@pro-talent/schemas/consent/calls";
import { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import { defineEvents } from "../../kernel/events.ts";
import { column, optional, readModel } from "../../kernel/read-model.ts";

/** The events of one visitor's decisions. */
export const consentEvents = defineEvents("consent", ConsentEvent);

const retention = "As long as the events that it is built from";

/**
 * Whether a visitor's consent to a purpose is valid now. Written with the append: the first event
 * after an acknowledged decision is gated by it. The collector reads it through the views: who consents,
 * what was decided after a position, and up to where that is known. It remembers answers only as long as
 * `epoch` (a restored backup) and `built` (a rebuilt table) stay the same.
 */
export const currentConsent = readModel({
  table: "consent_current",
  version: 1,
  mode: "inline",
  purpose: "Whether a visitor consents now; the gate of all collection",
  retention,
  events: consentEvents,
  key: {
    visitor_id: column.uuid("pseudonym", "Keyed pseudonym of the anonymous id"),
    purpose: column.text("operational", "What is consented to"),
  },
  columns: { granted: column.boolean("coarse", "The decision") },
  indexes: [{ on: "(pos)" }],
  keyOf: ({ id, event }) => ({ visitor_id: id, purpose: event.data.purpose }),
  evolve: (_row, { event }) => ({ granted: event.type === "ConsentGranted" }),
  views: [
    {
      name: "consent_gate",
      select:
        "select visitor_id, granted, pos from ledger.consent_current where purpose = 'analytics'",
      readers: ["collector_app"],
    },
    {
      name: "consent_position",
      select:
        "select epoch, 'ledger.consent_current'::regclass::oid::bigint as built, pos from ledger.head",
      readers: ["collector_app"],
    },
  ],
});

/**
 * Every decision that left a fact, by its receipt. When it was recorded and its hash in the chain are
 * read from the event itself, so that a receipt cannot differ from it.
 */
export const consentReceipts = readModel({
  table: "consent_receipt",
  version: 1,
  mode: "following",
  purpose: "Proof of each consent decision that left a fact",
  retention,
  events: consentEvents,
  key: { receipt_id: column.uuid("pseudonym", "Names the receipt") },
  columns: {
    visitor_id: column.uuid("pseudonym", "Keyed pseudonym of the anonymous id"),
    purpose: column.text("operational", "What is consented to"),
    granted: column.boolean("coarse", "The decision"),
    method: column.text("operational", "Which control was used"),
    notice: optional(
      column.json(ConsentReceipt.shape.notice.unwrap())(
        "coarse",
        "Version, language and hash of the text that was shown",
      ),
    ),
  },
  keyOf: ({ event }) => ({ receipt_id: event.data.receiptId }),
  evolve: (_row, { id, event: { type, data } }) => ({
    visitor_id: id,
    purpose: data.purpose,
    granted: type === "ConsentGranted",
    method: data.method,
    notice: data.notice,
  }),
  indexes: [{ on: "(visitor_id, pos desc)" }],
});

type ReceiptRow = {
  receipt_id: string;
  purpose: string;
  granted: boolean;
  method: string;
  notice: unknown;
  recorded_ms: number;
  pos: number;
  hash: string;
};

function receiptOf(row: ReceiptRow): ConsentReceipt {
  return ConsentReceipt.parse({
    receiptId: row.receipt_id,
    decision: row.granted ? "granted" : "withdrawn",
    purpose: row.purpose,
    method: row.method,
    notice: row.notice,
    recordedAt: instantFromMs(row.recorded_ms),
    position: row.pos,
    hash: row.hash,
  });
}

/** The decisions of the visitor who holds a receipt, newest first; one or all of them. */
async function selectReceipts(
  sql: Sql,
  receiptId: string,
  which: "this one" | "all",
): Promise<ConsentReceipt[]> {
  const rows = await sql<ReceiptRow[]>`
    select r.receipt_id, r.purpose, r.granted, r.method, r.notice, r.pos,
           encode(e.hash, 'hex') as hash,
           (extract(epoch from e.recorded_at) * 1000)::bigint as recorded_ms
      from ledger.consent_receipt own
      join ledger.consent_receipt r using (visitor_id) join ledger.event e on e.pos = r.pos
     where own.receipt_id = ${receiptId} and (${which === "all"} or r.receipt_id = own.receipt_id)
     order by r.pos desc`;
  return rows.map(receiptOf);
}

/** One decision, or undefined when no receipt has this id. */
export async function findReceipt(
  sql: Sql,
  receiptId: string,
): Promise<ConsentReceipt | undefined> {
  return (await selectReceipts(sql, receiptId, "this one"))[0];
}

/** All decisions of the visitor who holds a receipt; undefined when it is unknown. */
export async function findHistory(
  sql: Sql,
  receiptId: string,
): Promise<ConsentHistory | undefined> {
  const entries = await selectReceipts(sql, receiptId, "all");
  return entries.length === 0 ? undefined : { entries };
}
