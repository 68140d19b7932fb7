import { useTranslation } from "react-i18next";

import "./proof-section.css";

export function ProofSection() {
  const { t } = useTranslation("ats-friendly-resume");
  const figures = [
    { id: "tables", value: t("proof.tables.value"), body: t("proof.tables.body") },
    { id: "formats", value: t("proof.formats.value"), body: t("proof.formats.body") },
    { id: "languages", value: t("proof.languages.value"), body: t("proof.languages.body") },
  ];
  return (
    <section className="resume-proof" aria-labelledby="proof-title">
      <div className="resume-proof__grid page-width">
        <div className="resume-proof__facts">
          <h2 id="proof-title">{t("proof.title")}</h2>
          <p>{t("proof.intro")}</p>
          <ul className="resume-proof__figures">
            {figures.map(({ id, value, body }) => (
              <li key={id}>
                <b>{value}</b> <span>{body}</span>
              </li>
            ))}
          </ul>
        </div>
        <figure className="resume-proof__voice">
          <blockquote>{t("proof.quote")}</blockquote>
          <figcaption>
            <p>{t("proof.author")}</p>
            <p className="resume-proof__label">{t("proof.label")}</p>
          </figcaption>
        </figure>
      </div>
    </section>
  );
}
