import { useTranslation } from "react-i18next";
import { NavLink } from "react-router-dom";

import "./analyst-pages.css";

const pages = {
  console: "/console/analyst",
  questions: "/console/analyst/questions",
  views: "/console/analyst/views",
} as const;
const names = ["console", "questions", "views"] as const;

/** The pages of the console, above each of them; saved work has its places in the navigation of the area. */
export function AnalystPages() {
  const { t } = useTranslation("analyst");
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
      </ul>
    </nav>
  );
}
