import { z } from "zod";

import { Profile } from "../accounts/profile.ts";
import { correctionFields } from "./correction-fields.ts";
import { fieldDenialReasons } from "./reasons.ts";

/** What a person can ask to have corrected, as the account holds it. */
export const Correctable = Profile.pick({
  fullName: true,
  phone: true,
  address: true,
  language: true,
});
export type Correctable = z.infer<typeof Correctable>;

const { fullName, phone, address, language } = Correctable.shape;

/** Values of those fields that a correction names. */
export const Correction = z.object({
  fullName: fullName.exactOptional(),
  phone: phone.exactOptional(),
  address: address.exactOptional(),
  language: language.exactOptional(),
});
export type Correction = z.infer<typeof Correction>;

/** Fields of a correction that are denied while others are approved, each with its reason. */
export const DeniedFields = z
  .array(z.object({ field: z.enum(correctionFields), reason: z.enum(fieldDenialReasons) }))
  .max(correctionFields.length - 1)
  .refine(
    (denied) => new Set(denied.map(({ field }) => field)).size === denied.length,
    "each field once",
  );
export type DeniedFields = z.infer<typeof DeniedFields>;
