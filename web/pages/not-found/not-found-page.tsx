import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { MissingSheet } from "./missing-sheet.tsx";

import "./not-found-page.css";

function Elsewhere() {
  const { t } = useTranslation("not-found");
  return (
    <nav className="not-found__elsewhere" aria-labelledby="elsewhere">
      <p id="elsewhere">{t("elsewhere.label")}</p>
      <ul className="not-found__links">
        <li>
          <Link to="/pricing">{t("elsewhere.pricing")}</Link>
        </li>
        <li>
          <Link to="/ats/what-is-ats">{t("elsewhere.ats")}</Link>
        </li>
        <li>
          <Link to="/contact">{t("elsewhere.contact")}</Link>
        </li>
      </ul>
    </nav>
  );
}

export function NotFoundPage() {
  const { t } = useTranslation("not-found");
  return (
    <div className="not-found page-width">
      <div className="not-found__words">
        <h1 tabIndex={-1}>{t("title")}</h1>
        <p className="not-found__body">{t("body")}</p>
        <Link className={buttonClass("solid")} to="/" data-track="not-found-home">
          {t("home")}
        </Link>
        <Elsewhere />
      </div>
      <figure className="not-found__figure">
        <MissingSheet />
        <figcaption>{t("aside")}</figcaption>
      </figure>
    </div>
  );
}
