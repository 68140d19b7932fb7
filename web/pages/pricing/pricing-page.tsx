import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { PlanTable } from "../../features/pricing/plan-table.tsx";
import { Breadcrumb } from "../../ui/breadcrumb/breadcrumb.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { BenefitsSection } from "./benefits-section.tsx";
import { QuestionsSection } from "./questions-section.tsx";

import "./pricing-page.css";

function Hero() {
  const { t } = useTranslation(["pricing", "shell"]);
  return (
    <header className="pricing-hero page-width">
      <Breadcrumb
        label={t("shell:breadcrumb.label")}
        above={[{ id: "home", link: <Link to="/">{t("shell:breadcrumb.home")}</Link> }]}
        current={t("current")}
      />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p>{t("lead")}</p>
    </header>
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
        <Link className={buttonClass("solid")} to="/signup" data-track="pricing-start-free">
          {t("start.free")}
        </Link>
        <Link className={buttonClass()} to="/contact" data-track="pricing-contact-sales">
          {t("start.sales")}
        </Link>
      </p>
    </section>
  );
}

export function PricingPage() {
  const { t } = useTranslation("pricing");
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
      <BenefitsSection />
      <QuestionsSection />
      <Start />
    </>
  );
}
