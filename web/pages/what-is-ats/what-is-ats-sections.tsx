import { useTranslation } from "react-i18next";

import { ColumnsSection, TurnedSection } from "./reading-errors.tsx";
import { ReadingSteps } from "./reading-steps.tsx";

import "./definition-section.css";
import "./figures-section.css";

function Definition() {
  const { t } = useTranslation("ats-story");
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
  const { t } = useTranslation("ats-story");
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

export function AtsSections() {
  return (
    <>
      <Definition />
      <ReadingSteps />
      <ColumnsSection />
      <TurnedSection />
      <Figures />
    </>
  );
}
