import { useTranslation } from "react-i18next";

import "./aims-section.css";

export function AimsSection() {
  const { t } = useTranslation("about");
  return (
    <div className="aims">
      <div className="page-width aims__grid">
        <section className="aims__mission" aria-labelledby="mission-title">
          <h2 id="mission-title">{t("mission.term")}</h2>
          <p>{t("mission.body")}</p>
        </section>
        <section className="aims__vision" aria-labelledby="vision-title">
          <h2 id="vision-title">{t("vision.term")}</h2>
          <p>{t("vision.body")}</p>
        </section>
      </div>
    </div>
  );
}
