import { useTranslation } from "react-i18next";

import "./value-section.css";

/** What the product does, in the order in which a search for work meets it. */
export function ValueSection() {
  const { t } = useTranslation("home");
  const steps = [
    { term: t("value.cv.term"), body: t("value.cv.body") },
    { term: t("value.portfolio.term"), body: t("value.portfolio.body") },
    { term: t("value.link.term"), body: t("value.link.body") },
    { term: t("value.tracker.term"), body: t("value.tracker.body") },
  ];
  return (
    <section className="thread page-width" aria-labelledby="value-title">
      <div className="thread__head">
        <h2 id="value-title">{t("value.title")}</h2>
        <p>{t("value.intro")}</p>
      </div>
      <ol className="thread__steps">
        {steps.map(({ term, body }) => (
          <li key={term}>
            <h3>{term}</h3>
            <p>{body}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
