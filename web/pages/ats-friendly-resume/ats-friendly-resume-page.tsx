import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { Breadcrumb } from "../../ui/breadcrumb/breadcrumb.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { ComparisonSection } from "./comparison-section.tsx";
import { FeaturesSection } from "./features-section.tsx";
import { ProofSection } from "./proof-section.tsx";

import "./ats-friendly-resume-page.css";

function Head() {
  const { t } = useTranslation(["ats-friendly-resume", "shell"]);
  return (
    <header className="resume-head page-width">
      <Breadcrumb
        label={t("shell:breadcrumb.label")}
        above={[{ id: "home", link: <Link to="/">{t("shell:breadcrumb.home")}</Link> }]}
        current={t("crumb")}
      />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="resume-head__lead">{t("lead")}</p>
      <p className="resume-head__background">
        <Link className={buttonClass("text")} to="/ats/what-is-ats" data-track="resume-what-is-ats">
          {t("background")}
        </Link>
      </p>
    </header>
  );
}

function NextSection() {
  const { t } = useTranslation("ats-friendly-resume");
  return (
    <section className="resume-next page-width" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.title")}</h2>
      <p>{t("next.body")}</p>
      <p className="resume-next__links">
        <Link className={buttonClass("solid")} to="/signup" data-track="resume-signup">
          {t("next.signup")}
        </Link>
        <Link className={buttonClass("outline")} to="/pricing" data-track="resume-pricing">
          {t("next.pricing")}
        </Link>
      </p>
    </section>
  );
}

export function AtsFriendlyResumePage() {
  return (
    <article>
      <Head />
      <FeaturesSection />
      <ComparisonSection />
      <ProofSection />
      <NextSection />
    </article>
  );
}
