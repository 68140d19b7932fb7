import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";

import { FeatureValue } from "./feature-value.tsx";
import { featureTexts, planTexts } from "./plan-texts.ts";

import "./plan-comparison.css";

/** All plans by feature; narrow screens show lists instead. */
export function PlanComparison() {
  const { t } = useTranslation("plans");
  const texts = planTexts(t);
  return (
    <table className="plan-comparison">
      <caption>{t("comparison.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("comparison.feature")}</th>
          {plans.map(({ code, nameKey, recommended }) => (
            <th key={code} scope="col" data-recommended={recommended}>
              {texts[nameKey]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {featureTexts(t).map(({ feature, label }) => (
          <tr key={feature}>
            <th scope="row">{label}</th>
            {plans.map(({ code, features, recommended }) => (
              <td key={code} data-recommended={recommended}>
                <FeatureValue value={features[feature]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
