import { useTranslation } from "react-i18next";

import "./creed-section.css";

function Pillars() {
  const { t } = useTranslation("pro-talent-meaning");
  const pillars = [
    { term: t("pillars.read.term"), body: t("pillars.read.body") },
    { term: t("pillars.answer.term"), body: t("pillars.answer.body") },
    { term: t("pillars.secret.term"), body: t("pillars.secret.body") },
  ];
  return (
    <section className="creed__pillars" aria-labelledby="pillars-title">
      <h2 id="pillars-title">{t("pillars.title")}</h2>
      <dl>
        {pillars.map(({ term, body }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{body}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function CreedSection() {
  const { t } = useTranslation("pro-talent-meaning");
  const values = [t("values.clear"), t("values.calm"), t("values.equal"), t("values.late")];
  return (
    <div className="creed page-width">
      <Pillars />
      <section className="creed__mission" aria-labelledby="mission-title">
        <h2 id="mission-title">{t("mission.title")}</h2>
        <p>{t("mission.body")}</p>
      </section>
      <section className="creed__values" aria-labelledby="values-title">
        <h2 id="values-title">{t("values.title")}</h2>
        <ul className="creed__list">
          {values.map((value) => (
            <li key={value}>{value}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
