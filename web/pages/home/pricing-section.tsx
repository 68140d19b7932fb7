import { useTranslation } from "react-i18next";

import { PlanTable } from "../../features/pricing/plan-table.tsx";

import "./pricing-section.css";

export function PricingSection() {
  const { t } = useTranslation("home");
  return (
    <section className="prices" id="pricing" aria-labelledby="pricing-title" tabIndex={-1}>
      <div className="page-width">
        <div className="prices__head">
          <h2 id="pricing-title">{t("pricing.title")}</h2>
          <p>{t("pricing.intro")}</p>
        </div>
        <PlanTable headingLevel={3} />
      </div>
    </section>
  );
}
