import type { Plan } from "./plan.ts";

/**
 * The plans, cheapest first: the only place where a price or a tier is written down. Data without
 * its schema, so that the browser gets the table and not the validator.
 */
export const plans = [
  {
    code: "free",
    nameKey: "free.name",
    subtitleKey: "free.subtitle",
    descriptionKey: "free.description",
    recommended: false,
    icon: "sheet",
    price: { monthly: 0, annual: 0, annualTotal: 0, discount: 0 },
    currencySymbol: "$",
    billingNoteKey: "billing.free",
    ctaKey: "cta.comingSoon",
    features: {
      cvInputSave: true,
      cvDownload: "manual",
      publicPortfolio: false,
      portfolioCustomization: false,
      analytics: false,
      jobTracker: false,
      i18n: true,
    },
  },
  {
    code: "essential",
    nameKey: "essential.name",
    subtitleKey: "essential.subtitle",
    descriptionKey: "essential.description",
    recommended: false,
    icon: "address",
    price: { monthly: 10, annual: 8, annualTotal: 96, discount: 20 },
    currencySymbol: "$",
    billingNoteKey: "billing.annual",
    ctaKey: "cta.comingSoon",
    features: {
      cvInputSave: true,
      cvDownload: "automatic",
      publicPortfolio: true,
      portfolioCustomization: true,
      analytics: false,
      jobTracker: false,
      i18n: true,
    },
  },
  {
    code: "premium",
    nameKey: "premium.name",
    subtitleKey: "premium.subtitle",
    descriptionKey: "premium.description",
    recommended: true,
    icon: "mark",
    price: { monthly: 20, annual: 15, annualTotal: 180, discount: 25 },
    currencySymbol: "$",
    billingNoteKey: "billing.annual",
    ctaKey: "cta.comingSoon",
    features: {
      cvInputSave: true,
      cvDownload: "automatic",
      publicPortfolio: true,
      portfolioCustomization: true,
      analytics: true,
      jobTracker: true,
      i18n: true,
    },
  },
] as const satisfies readonly Plan[];
