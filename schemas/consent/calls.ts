import { z } from "zod";

import { ConsentMethod, NoticeShown } from "../analytics/wire.ts";
import { defineCalls } from "../primitives/calls.ts";
import { Uuid, VisitorId } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { ConsentPurpose } from "./events.ts";

/** A visitor's decision, from the collector. */
export const ConsentDecisionRequest = z.object({
  commandId: z.uuid(),
  visitorId: VisitorId,
  purpose: ConsentPurpose,
  decision: z.enum(["grant", "refuse"]),
  method: ConsentMethod,
  notice: NoticeShown.nullable(),
});
export type ConsentDecisionRequest = z.infer<typeof ConsentDecisionRequest>;

export const ConsentDecisionAnswer = z.object({
  state: z.enum(["granted", "withdrawn", "none"]),
  /** False when the decision changed nothing and therefore left no fact. */
  recorded: z.boolean(),
  /** The receipt of the latest fact about this visitor, if there is one. */
  receiptId: z.uuid().nullable(),
});
export type ConsentDecisionAnswer = z.infer<typeof ConsentDecisionAnswer>;

/** Proof of one decision; the id is the right to read it. */
export const ConsentReceipt = z.object({
  receiptId: z.uuid(),
  decision: z.enum(["granted", "withdrawn"]),
  purpose: ConsentPurpose,
  method: ConsentMethod,
  notice: NoticeShown.nullable(),
  recordedAt: Instant,
  /** Place of the fact in the ledger's hash chain, and the chain's hash there (hex). */
  position: z.number().int(),
  hash: z.string(),
});
export type ConsentReceipt = z.infer<typeof ConsentReceipt>;

/** Every decision of the same visitor, newest first. */
export const ConsentHistory = z.object({
  entries: z.array(ConsentReceipt.omit({ hash: true })),
});
export type ConsentHistory = z.infer<typeof ConsentHistory>;

export const consentPaths = {
  decisions: "/internal/consent/decisions",
  receipt: "/api/consent/receipts",
  history: "/api/consent/history",
} as const;

const receipt = z.object({ receiptId: Uuid });

/** For the collector. */
export const consentDecisionCalls = defineCalls({
  [`POST ${consentPaths.decisions}` as const]: {
    summary: "Records a visitor's consent decision",
    access: "internal",
    body: ConsentDecisionRequest,
    answer: ConsentDecisionAnswer,
  },
});

export const consentReceiptCalls = defineCalls({
  [`GET ${consentPaths.receipt}/:receiptId` as const]: {
    summary: "Proof of one consent decision, to the holder of its id",
    access: "public",
    params: receipt,
    answer: ConsentReceipt,
  },
  [`GET ${consentPaths.history}/:receiptId` as const]: {
    summary: "All consent decisions of the visitor who holds a receipt, newest first",
    access: "public",
    params: receipt,
    answer: ConsentHistory,
  },
});
