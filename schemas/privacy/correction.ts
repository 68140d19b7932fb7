import { z } from "zod";

import { Profile } from "../accounts/profile.ts";
import type { correctionFields } from "./request.ts";

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

export type CorrectionField = (typeof correctionFields)[number];

/** Where the account holds a field of a correction. */
export const profileFieldOf = {
  "full-name": "fullName",
  phone: "phone",
  address: "address",
  "preferred-language": "language",
} as const satisfies Record<CorrectionField, keyof Correctable>;
