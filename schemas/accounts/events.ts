import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { AcceptedDocument } from "./opening-calls.ts";

/** Events of an account stream (`account-<accountId>`), free of personal data. */
export const AccountEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("AccountOpened"),
    data: z.object({
      documents: z.array(AcceptedDocument),
      invitationId: Uuid.nullable(),
    }),
  }),
]);
export type AccountEvent = z.infer<typeof AccountEvent>;
