import { useTranslation } from "react-i18next";

import "./figures-section.css";

/** Three figures that are often quoted, each with an assessment. */
export function FiguresSection() {
  const { t } = useTranslation("what-is-ats");
  const figures = [
    {
      value: t("figures.large.value"),
      claim: t("figures.large.claim"),
      worth: t("figures.large.worth"),
    },
    {
      value: t("figures.unread.value"),
      claim: t("figures.unread.claim"),
      worth: t("figures.unread.worth"),
    },
    {
      value: t("figures.layout.value"),
      claim: t("figures.layout.claim"),
      worth: t("figures.layout.worth"),
    },
  ];
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
