import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { WaitlistForm } from "../../features/newsletter/waitlist-form.tsx";
import { useLaunch } from "../../features/pricing/launch.ts";
import { PlanTable } from "../../features/pricing/plan-table.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { Questions } from "../questions.tsx";

import "./signup-page.css";

function Hero() {
  const { t } = useTranslation("signup");
  const { open, sentence } = useLaunch();
  return (
    <div className="signup-hero page-width">
      <header className="signup-hero__head">
        {!open && <p className="signup-hero__badge">{t("badge")}</p>}
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p className="signup-hero__notice">{sentence}</p>
      </header>
      <section className="signup-hero__form" aria-label={t("form")}>
        {open ? (
          <JoinLink className={buttonClass("solid")} track="signup-join" />
        ) : (
          <WaitlistForm />
        )}
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
        {Object.values(t("steps", { returnObjects: true })).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}

export function Page() {
  const { t } = useTranslation("signup");
  const { t: mails } = useTranslation("newsletter");
  const facts = { launch: useLaunch().sentence, promise: mails("promise") };
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
      <section className="signup-questions" aria-labelledby="faq-title">
        <div className="page-width">
          <h2 id="faq-title">{t("faq.title")}</h2>
          <Questions items={t("faq.items", { returnObjects: true, ...facts })} />
        </div>
      </section>
    </>
  );
}
