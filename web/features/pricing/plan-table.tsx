import { plans } from "@pro-talent/schemas/subscription/plans";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { BillingPeriodChoice } from "./billing-period.tsx";
import { PlanComparison } from "./plan-comparison.tsx";
import { PlanEntry } from "./plan-entry.tsx";
import { type BillingPeriod, displayPrice } from "./price-display.ts";

import "./plan-table.css";

/** Says the new prices to whoever does not see them change. Silent until a period was chosen. */
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
 * The price list of the product: the plans by the month or by the year, and what each includes.
 * `headingLevel` is that of the plan names, one below the heading of the section around it.
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
