import { plans } from "@pro-talent/schemas/subscription/plans";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { displayPrice } from "../../features/price-display.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { LegalPage } from "../legal/legal-page.tsx";
import { legalSections, LegalTable, MailLine, supportAddress } from "../legal/legal-parts.tsx";

/** The prices as part of the agreement; `/pricing` describes the plans. */
function PriceTable() {
  const { t } = useTranslation("terms");
  const language = useLanguage();
  const rows = plans.map((plan) => {
    const { month, annualMonth, annualTotal: total } = displayPrice(plan, "monthly", language);
    const free = plan.code === "free";
    const row = {
      plan: t(`prices.${plan.code}`),
      monthly: free ? month : t("prices.monthlyPrice", { month }),
      annual: free ? month : t("prices.annualPrice", { total, month: annualMonth }),
    };
    return [plan.code, row] as const;
  });
  return (
    <>
      <LegalTable
        caption={t("prices.caption")}
        columns={t("prices.columns", { returnObjects: true })}
        rows={Object.fromEntries(rows)}
      />
      <p>
        <Link className="legal__link" to="/pricing" data-track="terms-pricing">
          {t("more.plans")}
        </Link>
      </p>
    </>
  );
}

export function Page() {
  const { t } = useTranslation("terms");
  const sections = legalSections(t("sections", { returnObjects: true }), {
    plans: <PriceTable />,
    links: (
      <p>
        <Link className="legal__link" to="/privacy#links">
          {t("more.links")}
        </Link>
      </p>
    ),
    contact: <MailLine label={t("more.contact")} address={supportAddress} />,
  });
  return (
    <LegalPage
      title={t("title")}
      lead={t("lead")}
      facts={t("facts", { returnObjects: true })}
      numbered
      sections={sections}
    />
  );
}
