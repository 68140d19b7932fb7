import { z } from "zod";

import { ConsentMethod, NoticeShown } from "../analytics/wire.ts";

/** What a visitor may consent to. Essential storage needs no consent and is not a purpose. */
export const ConsentPurpose = z.enum(["analytics"]);
export type ConsentPurpose = z.infer<typeof ConsentPurpose>;

const data = z.object({
  purpose: ConsentPurpose,
  method: ConsentMethod,
  notice: NoticeShown.nullable(),
  receiptId: z.uuid(),
});

/** Facts of a consent stream (`consent-<visitorId>`), free of personal data. */
export const ConsentEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ConsentGranted"), data }),
  z.object({ type: z.literal("ConsentWithdrawn"), data }),
]);
export type ConsentEvent = z.infer<typeof ConsentEvent>;

/** What is known about one purpose: the latest fact, or nothing. */
const ConsentState = z.discriminatedUnion("status", [
  z.object({ status: z.literal("none") }),
  z.object({
    status: z.enum(["granted", "withdrawn"]),
    notice: NoticeShown.nullable(),
    receiptId: z.uuid(),
  }),
]);
export type ConsentState = z.infer<typeof ConsentState>;

export const ConsentStates = z.partialRecord(ConsentPurpose, ConsentState);
export type ConsentStates = Readonly<z.infer<typeof ConsentStates>>;
