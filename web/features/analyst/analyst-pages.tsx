import { useTranslation } from "react-i18next";
import { NavLink } from "react-router-dom";

import "./analyst-pages.css";

const pages = {
  console: "/console/analyst",
  questions: "/console/analyst/questions",
  views: "/console/analyst/views",
} as const;
const names = ["console", "questions", "views"] as const;
const work = {
  savedQueries: "/console/analyst/queries",
  dashboards: "/console/analyst/dashboards",
  deliveries: "/console/analyst/deliveries",
  queryHistory: "/console/analyst/history",
} as const;
const works = ["savedQueries", "dashboards", "deliveries", "queryHistory"] as const;

/** The pages for analysts, above each of them. */
export function AnalystPages() {
  const { t } = useTranslation(["analyst", "account"]);
  return (
    <nav aria-label={t("pages.label")}>
      <ul className="analyst-pages">
        {names.map((name) => (
          <li key={name}>
            <NavLink to={pages[name]} end>
              {t(`pages.${name}`)}
            </NavLink>
          </li>
        ))}
        {works.map((name) => (
          <li key={name}>
            <NavLink to={work[name]}>{t(`account:layout.${name}`)}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
