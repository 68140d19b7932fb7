import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { StaticContent } from "../../app/static-content.tsx";
import { Breadcrumb } from "../../ui/breadcrumb/breadcrumb.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { ColumnsSection } from "./columns-section.tsx";
import { DefinitionSection } from "./definition-section.tsx";
import { FiguresSection } from "./figures-section.tsx";
import { QuestionsSection } from "./questions-section.tsx";
import { StepsSection } from "./steps-section.tsx";
import { TurnedSection } from "./turned-section.tsx";

import "./what-is-ats-page.css";

function Head() {
  const { t } = useTranslation(["what-is-ats", "shell"]);
  return (
    <header className="ats-head page-width">
      <Breadcrumb
        label={t("shell:breadcrumb.label")}
        above={[{ id: "home", link: <Link to="/">{t("shell:breadcrumb.home")}</Link> }]}
        current={t("crumb")}
      />
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="ats-head__lead">{t("lead")}</p>
    </header>
  );
}

function NextSection() {
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
          <Link className={buttonClass("text")} to="/signup" data-track="ats-next-signup">
            {t("next.signup")}
          </Link>
        </p>
      </div>
    </section>
  );
}

export function WhatIsAtsPage() {
  return (
    <article>
      <Head />
      <StaticContent>
        <DefinitionSection />
        <StepsSection />
        <ColumnsSection />
        <TurnedSection />
        <FiguresSection />
      </StaticContent>
      <QuestionsSection />
      <NextSection />
    </article>
  );
}
