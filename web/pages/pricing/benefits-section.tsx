import { useTranslation } from "react-i18next";

import "./benefits-section.css";

/** A line with two marked lengths: money back, and access until the period ends. */
function RefundLine() {
  const { t } = useTranslation("pricing");
  return (
    <ol className="refund-line">
      <li className="refund-line__part">
        <strong>{t("refund.window")}</strong>
        <span>{t("refund.windowBody")}</span>
      </li>
      <li className="refund-line__part refund-line__part--after">
        <strong>{t("refund.after")}</strong>
        <span>{t("refund.afterBody")}</span>
      </li>
    </ol>
  );
}

/** The guarantee comes first, because it is the one with conditions. */
export function BenefitsSection() {
  const { t } = useTranslation("pricing");
  return (
    <section className="benefits" aria-labelledby="benefits-title">
      <div className="page-width benefits__grid">
        <h2 className="benefits__title" id="benefits-title">
          {t("benefits.title")}
        </h2>
        <div className="benefits__lead">
          <h3>{t("benefits.refund.title")}</h3>
          <p>{t("benefits.refund.body")}</p>
          <RefundLine />
        </div>
        <div className="benefits__rest">
          <h3>{t("benefits.fees.title")}</h3>
          <p>{t("benefits.fees.body")}</p>
          <h3>{t("benefits.cancel.title")}</h3>
          <p>{t("benefits.cancel.body")}</p>
        </div>
      </div>
    </section>
  );
}
