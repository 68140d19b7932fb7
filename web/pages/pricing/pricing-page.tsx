import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { PageBreadcrumb } from "../../app/shell/page-breadcrumb.tsx";
import { useLaunch } from "../../features/pricing/launch.ts";
import { PlanTable } from "../../features/pricing/plan-table.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { Questions } from "../questions.tsx";

import "./benefits-section.css";
import "./pricing-page.css";
import "./questions-section.css";

function Hero() {
  const { t } = useTranslation("pricing");
  const { sentence } = useLaunch();
  return (
    <header className="pricing-hero page-width">
      <PageBreadcrumb current={t("current")} />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p>
        {t("lead")} {sentence}
      </p>
    </header>
  );
}

/**
 * The guarantee comes first, because it is the one with conditions. Its line has two marked
 * lengths: money back, and access until the period ends.
 */
function Benefits() {
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

function Start() {
  const { t } = useTranslation("pricing");
  return (
    <section className="pricing-start page-width" aria-labelledby="start-title">
      <div>
        <h2 id="start-title">{t("start.title")}</h2>
        <p>{t("start.body")}</p>
      </div>
      <p className="pricing-start__links">
        <JoinLink className={buttonClass("solid")} track="pricing-start-free">
          {t("start.free")}
        </JoinLink>
        <Link className={buttonClass()} to="/contact" data-track="pricing-contact-sales">
          {t("start.sales")}
        </Link>
      </p>
    </section>
  );
}

export function Page() {
  const { t } = useTranslation("pricing");
  const { sentence: launch } = useLaunch();
  return (
    <>
      <Hero />
      <section
        className="pricing-plans page-width"
        id="pricing"
        aria-labelledby="plans-title"
        tabIndex={-1}
      >
        <h2 className="visually-hidden" id="plans-title">
          {t("plans")}
        </h2>
        <PlanTable headingLevel={3} />
      </section>
      <Benefits />
      <section className="pricing-questions page-width" aria-labelledby="faq-title">
        <h2 id="faq-title">{t("faq.title")}</h2>
        <Questions items={t("faq.items", { returnObjects: true, launch })} />
      </section>
      <Start />
    </>
  );
}
