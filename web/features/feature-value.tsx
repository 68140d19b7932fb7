import type { PlanFeatures } from "@pro-talent/schemas/subscription/plan";
import { useTranslation } from "react-i18next";

import "./feature-value.css";

/** The compared features, in display order. */
export const comparedFeatures = [
  "cvInputSave",
  "cvDownload",
  "i18n",
  "publicPortfolio",
  "portfolioCustomization",
  "analytics",
  "jobTracker",
] as const satisfies readonly (keyof PlanFeatures)[];

/** Whether a plan has a feature, or its variant: a sign with a text. */
export function FeatureValue({ value }: { value: PlanFeatures[keyof PlanFeatures] }) {
  const { t } = useTranslation("plans");
  const has = value !== false;
  const text = value === true ? "included" : value === false ? "notIncluded" : value;
  return (
    <span className={has ? "feature-value" : "feature-value feature-value--none"}>
      <svg width="16" height="16" viewBox="0 0 20 20" aria-hidden="true">
        <path
          d={has ? "M3 10.5 8 15.5 17 5" : "M4 10h12"}
          fill="none"
          stroke="currentColor"
          strokeWidth={has ? 2 : 1.25}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {t(`value.${text}`)}
    </span>
  );
}
