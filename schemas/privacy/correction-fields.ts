// Apart from the schemas, so that pages load these lists alone.

/** Fields that a correction may change. */
export const correctionFields = ["full-name", "phone", "address", "preferred-language"] as const;
export type CorrectionField = (typeof correctionFields)[number];

/** Where the account holds a field of a correction. */
export const profileFieldOf = {
  "full-name": "fullName",
  phone: "phone",
  address: "address",
  "preferred-language": "language",
} as const satisfies Record<CorrectionField, string>;
