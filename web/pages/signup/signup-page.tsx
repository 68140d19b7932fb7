import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { WaitlistForm } from "../../features/newsletter/waitlist-form.tsx";
import { PlanTable } from "../../features/pricing/plan-table.tsx";
import { Accordion } from "../../ui/accordion/accordion.tsx";

import "./signup-page.css";

function Hero() {
  const { t } = useTranslation("signup");
  return (
    <div className="signup-hero page-width">
      <header className="signup-hero__head">
        <p className="signup-hero__badge">{t("badge")}</p>
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p className="signup-hero__notice">{t("notice")}</p>
      </header>
      <section className="signup-hero__form" aria-label={t("form")}>
        <WaitlistForm />
        <div className="signup-hero__legal">
          <p>{t("legal.body")}</p>
          <p>
            <Link to="/privacy" data-track="signup-privacy">
              {t("legal.privacy")}
            </Link>
            <Link to="/terms" data-track="signup-terms">
              {t("legal.terms")}
            </Link>
          </p>
        </div>
      </section>
      <ol className="signup-hero__steps">
        <li>{t("steps.join")}</li>
        <li>{t("steps.confirm")}</li>
        <li>{t("steps.hear")}</li>
      </ol>
    </div>
  );
}

function Questions() {
  const { t } = useTranslation("signup");
  const items = [
    { id: "when", title: t("faq.when.question"), content: <p>{t("faq.when.answer")}</p> },
    { id: "mail", title: t("faq.mail.question"), content: <p>{t("faq.mail.answer")}</p> },
    { id: "cost", title: t("faq.cost.question"), content: <p>{t("faq.cost.answer")}</p> },
    { id: "leave", title: t("faq.leave.question"), content: <p>{t("faq.leave.answer")}</p> },
  ];
  return (
    <section className="signup-questions" aria-labelledby="faq-title">
      <div className="page-width">
        <h2 id="faq-title">{t("faq.title")}</h2>
        <Accordion items={items} headingLevel={3} />
      </div>
    </section>
  );
}

export function SignupPage() {
  const { t } = useTranslation("signup");
  return (
    <>
      <Hero />
      <section
        className="signup-plans page-width"
        id="pricing"
        aria-labelledby="plans-title"
        tabIndex={-1}
      >
        <h2 id="plans-title">{t("plans.title")}</h2>
        <p>{t("plans.lead")}</p>
        <PlanTable headingLevel={3} />
      </section>
      <Questions />
    </>
  );
}
