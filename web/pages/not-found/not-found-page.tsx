import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { buttonClass } from "../../ui/button/button.tsx";

import "./not-found-page.css";

/** The outline of a sheet that is not in the pile. */
function MissingSheet() {
  return (
    <svg className="missing-sheet" viewBox="0 0 320 380" aria-hidden="true">
      <g className="missing-sheet__pile">
        <path d="M70 52L266 34L296 338L100 356Z" />
        <path d="M52 44H250V350H52Z" />
      </g>
      <path
        className="missing-sheet__gap"
        d="M24 26H174L224 76V336H24ZM174 26V76H224"
        strokeDasharray="7 8"
      />
      <path
        className="missing-sheet__ring"
        transform="translate(50 160) scale(0.74 0.72)"
        d="M168 17C140 4 62 2 24 26C-8 47 6 82 62 93C124 104 190 86 195 52C199 24 150 6 88 11"
        strokeDasharray="2 9"
      />
    </svg>
  );
}

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

export function Page() {
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
