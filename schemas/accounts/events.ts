import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { AcceptedDocument } from "../site/accepted-document.ts";
import { Invitation } from "../waitlist/events.ts";

const opened = { documents: z.array(AcceptedDocument), invitationId: Uuid.nullable() };

/** `AccountOpened` as it was stored before invitations had a discount. */
export const AccountOpenedV1 = z.object(opened);

/** Events of an account stream (`account-<accountId>`), free of personal data. */
export const AccountEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("AccountOpened"),
    /** The discount is that of the invitation; 0 for none. */
    data: z.object({ ...opened, discountPercent: Invitation.shape.discountPercent }),
  }),
  /** Its holder, or the deletion of their data, has closed it for good. */
  z.object({ type: z.literal("AccountClosed"), data: z.object({}) }),
]);
export type AccountEvent = z.infer<typeof AccountEvent>;
