import { plans } from "@pro-talent/schemas/subscription/plans";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { BillingPeriodChoice } from "./billing-period.tsx";
import { PlanComparison } from "./plan-comparison.tsx";
import { PlanEntry } from "./plan-entry.tsx";
import { type BillingPeriod, displayPrice } from "./price-display.ts";

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

/**
 * The price list. `headingLevel` is the level of the plan names, one below the section's heading.
 */
export function PlanTable({ headingLevel }: { headingLevel: 2 | 3 }) {
  const { t } = useTranslation("plans");
  const [chosen, setChosen] = useState<BillingPeriod>();
  const period = chosen ?? "monthly";
  return (
    <div className="plan-table">
      <BillingPeriodChoice period={period} onChange={setChosen} />
      <PriceAnnouncement period={chosen} />
      <ul className="plan-table__list" aria-label={t("list")}>
        {plans.map((plan) => (
          <PlanEntry key={plan.code} plan={plan} period={period} headingLevel={headingLevel} />
        ))}
      </ul>
      <PlanComparison />
    </div>
  );
}
