import type { PlanFeatures } from "@pro-talent/schemas/subscription/plan";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";

import "./feature-value.css";

function wording(value: PlanFeatures[keyof PlanFeatures], t: TFunction<"plans">): string {
  if (value === "manual") return t("value.manual");
  if (value === "automatic") return t("value.automatic");
  return value ? t("value.included") : t("value.notIncluded");
}

/** Whether a plan has a feature, or its variant: a sign with a text. */
export function FeatureValue({ value }: { value: PlanFeatures[keyof PlanFeatures] }) {
  const { t } = useTranslation("plans");
  const has = value !== false;
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
      {wording(value, t)}
    </span>
  );
}
