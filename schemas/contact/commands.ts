import { z } from "zod";

import { ContactMessageReceived } from "./events.ts";

/** Hands in a message; what is personal about it travels beside the command, sealed. */
export const SendContactMessage = ContactMessageReceived.shape.data
  .omit({ acknowledged: true })
  .extend({
    type: z.literal("SendContactMessage"),
    /** Acknowledgements to the same address within the last day. */
    recentAcknowledgements: z.number().int().nonnegative(),
  });
export type SendContactMessage = z.infer<typeof SendContactMessage>;

/** The matter is done with. */
export const SettleContactMatter = z.object({ type: z.literal("SettleContactMatter") });
export type SettleContactMatter = z.infer<typeof SettleContactMatter>;

export type ContactCommand = SendContactMessage | SettleContactMatter;
