import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { displayPrice } from "../../features/pricing/price-display.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { LegalTable } from "../legal/legal-table.tsx";

/** Rows of plan name, monthly price and annual price. */
function usePriceRows(): [string, string, string][] {
  const { t } = useTranslation("terms");
  const language = useLanguage();
  const names = {
    free: t("plans.table.free"),
    essential: t("plans.table.essential"),
    premium: t("plans.table.premium"),
  };
  return plans.map((plan) => {
    const { month, annualMonth, annualTotal } = displayPrice(plan, "monthly", language);
    return plan.code === "free"
      ? [names.free, month, month]
      : [
          names[plan.code],
          t("plans.table.monthlyPrice", { month }),
          t("plans.table.annualPrice", { total: annualTotal, month: annualMonth }),
        ];
  });
}

/** The prices as part of the agreement; `/pricing` describes the plans. */
export function PriceTable() {
  const { t } = useTranslation("terms");
  const rows = usePriceRows();
  return (
    <>
      <LegalTable
        caption={t("plans.table.caption")}
        columns={[t("plans.table.plan"), t("plans.table.monthly"), t("plans.table.annual")]}
        rows={rows}
      />
      <p>
        <Link to="/pricing" data-track="terms-pricing">
          {t("plans.link")}
        </Link>
      </p>
    </>
  );
}
