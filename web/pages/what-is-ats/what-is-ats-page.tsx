import { useTranslation } from "react-i18next";

import { StaticSections } from "../../app/loaded.tsx";
import { atsSections } from "../../app/routes.ts";
import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { PageBreadcrumb } from "../../app/shell/page-breadcrumb.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { Questions } from "../questions.tsx";

import "./questions-section.css";
import "./what-is-ats-page.css";

function Head() {
  const { t } = useTranslation("what-is-ats");
  return (
    <header className="ats-head page-width">
      <PageBreadcrumb current={t("crumb")} />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="ats-head__lead">{t("lead")}</p>
    </header>
  );
}

function Next() {
  const { t } = useTranslation("what-is-ats");
  return (
    <section className="ats-next page-width" aria-labelledby="next-title">
      <h2 id="next-title">{t("next.title")}</h2>
      <div className="ats-next__text">
        <p>{t("next.body")}</p>
        <p className="ats-next__links">
          <Link
            className={buttonClass("solid")}
            to="/ats/ats-friendly-resume"
            data-track="ats-next-resume"
          >
            {t("next.resume")}
          </Link>
          <JoinLink className={buttonClass("text")} track="ats-next-signup" />
        </p>
      </div>
    </section>
  );
}

export function Page() {
  const { t } = useTranslation("what-is-ats");
  return (
    <article>
      <Head />
      <StaticSections sections={atsSections} className="static" />
      <section className="ats-questions page-width" aria-labelledby="questions-title">
        <h2 id="questions-title">{t("faq.title")}</h2>
        <Questions items={t("faq.items", { returnObjects: true })} />
      </section>
      <Next />
    </article>
  );
}
