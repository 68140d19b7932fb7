import { useTranslation } from "react-i18next";

import "./features-section.css";

export function FeaturesSection() {
  const { t } = useTranslation("home");
  const steps = [
    { term: t("features.cv.term"), body: t("features.cv.body"), plan: t("features.cv.plan") },
    {
      term: t("features.portfolio.term"),
      body: t("features.portfolio.body"),
      plan: t("features.portfolio.plan"),
    },
    {
      term: t("features.link.term"),
      body: t("features.link.body"),
      plan: t("features.link.plan"),
    },
    {
      term: t("features.tracker.term"),
      body: t("features.tracker.body"),
      plan: t("features.tracker.plan"),
    },
  ];
  return (
    <section className="features page-width" aria-labelledby="features-title">
      <div className="features__head">
        <h2 id="features-title">{t("features.title")}</h2>
        <p>{t("features.intro")}</p>
      </div>
      <ol className="features__steps">
        {steps.map(({ term, body, plan }) => (
          <li key={term}>
            <h3>{term}</h3>
            <p>{body}</p>
            <p className="features__plan">{plan}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
