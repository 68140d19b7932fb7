import type { Sql } from "@pro-talent/platform/postgres/pool";
import type { Statement } from "@pro-talent/platform/postgres/statement";
import type { ConsentEvent } from "@pro-talent/schemas/consent/events";
import { ConsentHistory, ConsentReceipt } from "@pro-talent/schemas/consent/http";
import { instantFromMs } from "@pro-talent/schemas/primitives/instant";

import type { Projection } from "../event-store/projection.ts";
import { consentEvents, visitorOf } from "./consent-events.ts";

/**
 * Every decision that left a fact, by its receipt. Follows by position. When it was recorded and
 * its hash in the chain are read from the event itself, so that a receipt cannot say otherwise.
 */
export const consentHistory: Projection<ConsentEvent> = {
  name: "consent_history",
  mode: "async",
  family: consentEvents,
  tables: { consent_receipt: ["receipt_id"] },
  evolve: ({ event, stream }) => [
    {
      table: "consent_receipt",
      put: {
        receipt_id: event.data.receiptId,
        visitor_id: visitorOf(stream),
        purpose: event.data.purpose,
        granted: event.type === "ConsentGranted",
        method: event.data.method,
        notice_version: event.data.notice?.version ?? null,
        notice_language: event.data.notice?.language ?? null,
        notice_text_hash: event.data.notice?.textHash ?? null,
      },
    },
  ],
};

type ReceiptRow = {
  receipt_id: string;
  purpose: string;
  granted: boolean;
  method: string;
  notice_version: string | null;
  notice_language: string | null;
  notice_text_hash: string | null;
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
    notice:
      row.notice_version === null
        ? null
        : {
            version: row.notice_version,
            language: row.notice_language,
            textHash: row.notice_text_hash,
          },
    recordedAt: instantFromMs(row.recorded_ms),
    position: row.pos,
    hash: row.hash,
  });
}

/** Receipts `r` with the facts that only the event itself may tell. */
function selectReceipts(sql: Sql): Statement<ReceiptRow[]> {
  return sql<ReceiptRow[]>`
    select r.receipt_id, r.purpose, r.granted, r.method, r.notice_version, r.notice_language,
           r.notice_text_hash, r.pos, encode(e.hash, 'hex') as hash,
           (extract(epoch from e.recorded_at) * 1000)::bigint as recorded_ms
      from ledger.consent_receipt r join ledger.event e on e.pos = r.pos`;
}

/** One decision, or undefined when no receipt has this id. */
export async function findReceipt(
  sql: Sql,
  receiptId: string,
): Promise<ConsentReceipt | undefined> {
  const [row] = await sql<ReceiptRow[]>`
    ${selectReceipts(sql)} where r.receipt_id = ${receiptId}`;
  return row === undefined ? undefined : receiptOf(row);
}

/** All decisions of the visitor who holds a receipt, newest first; undefined when it is unknown. */
export async function findHistory(
  sql: Sql,
  receiptId: string,
): Promise<ConsentHistory | undefined> {
  const rows = await sql<ReceiptRow[]>`
    ${selectReceipts(sql)}
     where r.visitor_id = (select visitor_id from ledger.consent_receipt
                            where receipt_id = ${receiptId})
     order by r.pos desc`;
  if (rows.length === 0) return undefined;
  return ConsentHistory.parse({ entries: rows.map(receiptOf) });
}
