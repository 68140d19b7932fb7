import { useTranslation } from "react-i18next";

import "./definition-section.css";

export function DefinitionSection() {
  const { t } = useTranslation("what-is-ats");
  const words = [
    { word: t("definition.applicant.english"), gloss: t("definition.applicant.gloss") },
    { word: t("definition.tracking.english"), gloss: t("definition.tracking.gloss") },
    { word: t("definition.system.english"), gloss: t("definition.system.gloss") },
  ];
  return (
    <section className="ats-definition" aria-labelledby="definition-title">
      <div className="ats-definition__grid page-width">
        <dl className="ats-definition__words">
          {words.map(({ word, gloss }) => (
            <div key={word}>
              <dt lang="en" dir="ltr">
                {word}
              </dt>
              <dd>{gloss}</dd>
            </div>
          ))}
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
