import { plans } from "@pro-talent/schemas/subscription/plans";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { comparedFeatures, FeatureValue } from "../feature-value.tsx";
import { type BillingPeriod, displayPrice } from "../price-display.ts";
import { BillingPeriodChoice } from "./billing-period.tsx";
import { useLaunch } from "./launch.ts";
import { PlanEntry } from "./plan-entry.tsx";

import "./plan-comparison.css";
import "./plan-table.css";

/** Announces the new prices to screen readers. Empty until a period is chosen. */
function PriceAnnouncement({ period }: { period: BillingPeriod | undefined }) {
  const { t } = useTranslation("plans");
  const language = useLanguage();
  const [, essential, premium] = plans;
  const amounts = {
    essential: displayPrice(essential, period ?? "monthly", language).month,
    premium: displayPrice(premium, period ?? "monthly", language).month,
  };
  return (
    <output className="visually-hidden">
      {period === "monthly" && t("period.nowMonthly", amounts)}
      {period === "annual" && t("period.nowAnnual", amounts)}
    </output>
  );
}

/** All plans by feature; narrow screens show lists instead. */
function PlanComparison() {
  const { t } = useTranslation("plans");
  return (
    <table className="plan-comparison">
      <caption>{t("comparison.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("comparison.feature")}</th>
          {plans.map(({ code, nameKey, recommended }) => (
            <th key={code} scope="col" data-recommended={recommended}>
              {t(nameKey)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {comparedFeatures.map((feature) => (
          <tr key={feature}>
            <th scope="row">{t(`features.${feature}`)}</th>
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

/**
 * The price list. `headingLevel` is the level of the plan names, one below the section's heading.
 */
export function PlanTable({ headingLevel }: { headingLevel: 2 | 3 }) {
  const { t } = useTranslation("plans");
  const { open } = useLaunch();
  const reasonId = useId();
  const [chosen, setChosen] = useState<BillingPeriod>();
  return (
    <div className="plan-table">
      <div className="plan-table__head">
        <BillingPeriodChoice period={chosen ?? "monthly"} onChange={setChosen} />
        {!open && (
          <p className="plan-table__reason" id={reasonId}>
            {t("cta.reason")}
          </p>
        )}
      </div>
      <PriceAnnouncement period={chosen} />
      <ul className="plan-table__list" aria-label={t("list")}>
        {plans.map((plan) => (
          <PlanEntry
            key={plan.code}
            plan={plan}
            period={chosen ?? "monthly"}
            headingLevel={headingLevel}
            reasonId={reasonId}
          />
        ))}
      </ul>
      <PlanComparison />
      <div className="plan-table__download">
        <p>{t("download.manual")}</p>
        <p>{t("download.automatic")}</p>
      </div>
    </div>
  );
}
