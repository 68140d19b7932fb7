import { useTranslation } from "react-i18next";

import { ResumeSheet } from "./resume-sheet.tsx";

import "./features-section.css";

/** Six properties of a readable file, numbered as on the sheet beside them. */
export function FeaturesSection() {
  const { t } = useTranslation("ats-friendly-resume");
  const features = [
    { term: t("features.column.term"), body: t("features.column.body") },
    { term: t("features.contact.term"), body: t("features.contact.body") },
    { term: t("features.headings.term"), body: t("features.headings.body") },
    { term: t("features.dates.term"), body: t("features.dates.body") },
    { term: t("features.direction.term"), body: t("features.direction.body") },
    { term: t("features.files.term"), body: t("features.files.body") },
  ];
  return (
    <section className="resume-features" aria-labelledby="features-title">
      <div className="resume-features__grid page-width">
        <div className="resume-features__head">
          <h2 id="features-title">{t("features.title")}</h2>
          <p>{t("features.intro")}</p>
        </div>
        <figure className="resume-features__figure">
          <ResumeSheet />
          <figcaption>{t("sheet.caption")}</figcaption>
        </figure>
        <ol className="resume-features__notes">
          {features.map(({ term, body }) => (
            <li key={term}>
              <h3>{term}</h3>
              <p>{body}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
