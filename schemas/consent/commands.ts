import { z } from "zod";

import { ConsentMethod, NoticeShown } from "../analytics/wire.ts";
import { ConsentPurpose } from "./events.ts";

/** Says what a visitor decided; the decider compares it with what is already known. */
export const DecideConsent = z.object({
  type: z.literal("DecideConsent"),
  purpose: ConsentPurpose,
  decision: z.enum(["grant", "refuse"]),
  method: ConsentMethod,
  notice: NoticeShown.nullable(),
  /** Made by the caller, so that a repeated command names the same receipt. */
  receiptId: z.uuid(),
});
export type DecideConsent = z.infer<typeof DecideConsent>;
