import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { JoinLink } from "../../app/shell/join-link.tsx";
import { PageBreadcrumb } from "../../app/shell/page-breadcrumb.tsx";
import { StaticContent } from "../../app/static-content.tsx";
import { buttonClass } from "../../ui/button/button.tsx";
import { Questions } from "../questions.tsx";
import { ColumnsSection, TurnedSection } from "./reading-errors.tsx";
import { ReadingSteps } from "./reading-steps.tsx";

import "./definition-section.css";
import "./figures-section.css";
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

function Definition() {
  const { t } = useTranslation("what-is-ats");
  return (
    <section className="ats-definition" aria-labelledby="definition-title">
      <div className="ats-definition__grid page-width">
        <dl className="ats-definition__words">
          {Object.values(t("definition.words", { returnObjects: true })).map(
            ({ english, gloss }) => (
              <div key={english}>
                <dt lang="en" dir="ltr">
                  {english}
                </dt>
                <dd>{gloss}</dd>
              </div>
            ),
          )}
        </dl>
        <div className="ats-definition__text">
          <h2 id="definition-title">{t("definition.title")}</h2>
          <p>{t("definition.body")}</p>
          <p>{t("definition.more")}</p>
        </div>
      </div>
    </section>
  );
}

/** Three figures that are often quoted, each with an assessment. */
function Figures() {
  const { t } = useTranslation("what-is-ats");
  const figures = Object.values(t("figures.items", { returnObjects: true }));
  return (
    <section className="hearsay" aria-labelledby="figures-title">
      <div className="hearsay__grid page-width">
        <div className="hearsay__head">
          <h2 id="figures-title">{t("figures.title")}</h2>
          <p className="hearsay__remark" id="figures-remark" tabIndex={-1}>
            <span aria-hidden="true">*</span> {t("figures.remark")}
          </p>
        </div>
        <ul className="hearsay__figures">
          {figures.map(({ value, claim, worth }) => (
            <li key={value}>
              <p className="hearsay__value">
                <bdi dir="ltr">{value}</bdi>
                <a href="#figures-remark">
                  <span aria-hidden="true">*</span>
                  <span className="visually-hidden">{t("figures.mark")}</span>
                </a>
              </p>
              <div>
                <p className="hearsay__claim">{claim}</p>
                <p className="hearsay__worth">{worth}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
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

export function WhatIsAtsPage() {
  const { t } = useTranslation("what-is-ats");
  return (
    <article>
      <Head />
      <StaticContent>
        <Definition />
        <ReadingSteps />
        <ColumnsSection />
        <TurnedSection />
        <Figures />
      </StaticContent>
      <section className="ats-questions page-width" aria-labelledby="questions-title">
        <h2 id="questions-title">{t("faq.title")}</h2>
        <Questions items={t("faq.items", { returnObjects: true })} />
      </section>
      <Next />
    </article>
  );
}
