import { z } from "zod";

import { Uuid } from "../primitives/ids.ts";
import { Instant } from "../primitives/instant.ts";
import { openMailPreferences } from "./mail-preferences.ts";

export const OpenMailPreference = z.enum(openMailPreferences);
export type OpenMailPreference = z.infer<typeof OpenMailPreference>;

/** Opens by persons of one link; requests that were left out are not among them. */
export const LinkOpens = z.object({ linkId: Uuid, opens: z.int().min(1), firstAt: Instant });
export type LinkOpens = z.infer<typeof LinkOpens>;

/** Events of the mails about opens of one account, free of personal data. */
export const OpenMailEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("OpenMailPreferenceChosen"),
    data: z.object({ preference: OpenMailPreference }),
  }),
  /** One mail is due that names these links; `until` is where the next one begins. */
  z.object({
    type: z.literal("OpenMailRequested"),
    data: z.object({
      kind: z.enum(["first-open", "digest"]),
      until: Instant,
      links: z.array(LinkOpens).min(1),
    }),
  }),
  z.object({ type: z.literal("OpenMailsEnded"), data: z.object({}) }),
]);
export type OpenMailEvent = z.infer<typeof OpenMailEvent>;
