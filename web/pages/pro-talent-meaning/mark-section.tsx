import { useTranslation } from "react-i18next";

import "./mark-section.css";

export function MarkSection() {
  const { t } = useTranslation("pro-talent-meaning");
  return (
    <section className="anatomy page-width" aria-labelledby="mark-title">
      <svg className="anatomy__mark" viewBox="0 0 30 30" aria-hidden="true">
        <path
          d="M10.5 8h6l3.5 3.500V22h-9.500Z M16.5 8v3.500H20"
          fill="none"
          stroke="currentColor"
          strokeWidth="0.3"
          strokeLinejoin="round"
        />
        <path
          className="anatomy__ring"
          d="M23.5 4.800C17.5 0.5 7.5 1.800 3.800 8.200C0 15 1.5 24.5 9.5 27.600C18 30.800 27 26.5 28.400 18C29.600 10.5 23 2.800 13.5 3.200"
          fill="none"
          strokeWidth="0.5"
          strokeLinecap="round"
        />
      </svg>
      <div className="anatomy__text">
        <h2 id="mark-title">{t("mark.title")}</h2>
        <p>{t("mark.sheet")}</p>
        <p>{t("mark.ring")}</p>
        <p>{t("mark.line")}</p>
        <p>{t("mark.green")}</p>
      </div>
    </section>
  );
}
