import type { PlanFeatures } from "@pro-talent/schemas/subscription/plan";
import type { plans } from "@pro-talent/schemas/subscription/plans";
import type { TFunction } from "i18next";

type TablePlan = (typeof plans)[number];
type PlanTextKey = TablePlan["nameKey" | "subtitleKey" | "descriptionKey" | "ctaKey"];

/** Texts by the keys of the plan table. A key without a text does not compile. */
export function planTexts(t: TFunction<"plans">): Record<PlanTextKey, string> {
  return {
    "free.name": t("free.name"),
    "free.subtitle": t("free.subtitle"),
    "free.description": t("free.description"),
    "essential.name": t("essential.name"),
    "essential.subtitle": t("essential.subtitle"),
    "essential.description": t("essential.description"),
    "premium.name": t("premium.name"),
    "premium.subtitle": t("premium.subtitle"),
    "premium.description": t("premium.description"),
    "cta.comingSoon": t("cta.comingSoon"),
  };
}

/** The compared features, in display order. */
export function featureTexts(
  t: TFunction<"plans">,
): readonly { feature: keyof PlanFeatures; label: string }[] {
  return [
    { feature: "cvInputSave", label: t("features.cvInputSave") },
    { feature: "cvDownload", label: t("features.cvDownload") },
    { feature: "i18n", label: t("features.i18n") },
    { feature: "publicPortfolio", label: t("features.publicPortfolio") },
    { feature: "portfolioCustomization", label: t("features.portfolioCustomization") },
    { feature: "analytics", label: t("features.analytics") },
    { feature: "jobTracker", label: t("features.jobTracker") },
  ];
}
