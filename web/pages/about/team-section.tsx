import { useTranslation } from "react-i18next";

import "./team-section.css";

/** The roles of the team. No portraits, because nothing is invented here. */
export function TeamSection() {
  const { t } = useTranslation("about");
  const roles = [
    { role: t("team.product.role"), work: t("team.product.work") },
    { role: t("team.engineering.role"), work: t("team.engineering.work") },
    { role: t("team.privacy.role"), work: t("team.privacy.work") },
    { role: t("team.language.role"), work: t("team.language.work") },
  ];
  return (
    <section className="team page-width" aria-labelledby="team-title">
      <div className="team__head">
        <h2 id="team-title">{t("team.title")}</h2>
        <p>{t("team.intro")}</p>
        <p className="team__note">{t("team.note")}</p>
      </div>
      <ul className="team__roles">
        {roles.map(({ role, work }) => (
          <li key={role}>
            <strong>{role}</strong> <span>{work}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
