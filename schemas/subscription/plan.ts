import { z } from "zod";

export const PlanCode = z.enum(["free", "essential", "premium"]);

/** Where the words stand in the `plans` namespace of both languages. */
const WordKey = z.string().regex(/^[a-z]+(\.[a-z][a-zA-Z]*)+$/u);

/** What a plan costs, in whole units of its currency. */
const PlanPrice = z.object({
  /** Per month, when every month is billed on its own. */
  monthly: z.number().int().nonnegative(),
  /** Per month, when a year is billed at once. */
  annual: z.number().int().nonnegative(),
  /** The year that is billed at once. */
  annualTotal: z.number().int().nonnegative(),
  /** How much cheaper the annual month is, in whole per cent. */
  discount: z.number().int().min(0).max(100),
});

export const PlanFeatures = z.object({
  cvInputSave: z.boolean(),
  cvDownload: z.enum(["manual", "automatic"]),
  publicPortfolio: z.boolean(),
  portfolioCustomization: z.boolean(),
  analytics: z.boolean(),
  jobTracker: z.boolean(),
  i18n: z.boolean(),
});
export type PlanFeatures = z.infer<typeof PlanFeatures>;

/** One plan as the site shows it and as the services will bill it (specification §3). */
export const Plan = z.object({
  code: PlanCode,
  nameKey: WordKey,
  subtitleKey: WordKey,
  descriptionKey: WordKey,
  recommended: z.boolean(),
  icon: z.enum(["sheet", "address", "mark"]),
  price: PlanPrice,
  currencySymbol: z.literal("$"),
  billingNoteKey: WordKey,
  ctaKey: WordKey,
  features: PlanFeatures,
});
export type Plan = z.infer<typeof Plan>;
