import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";

import "./ats-section.css";

/** How a program reads a page: across it, line by line, whatever the columns mean. */
function ReadingOrder({ columns }: { columns: 1 | 2 }) {
  const lines = [18, 42, 66, 90, 114, 138];
  return (
    <svg className="ats__page" viewBox="0 0 150 170">
      <rect className="ats__paper" x="0.5" y="0.5" width="149" height="169" rx="4" />
      {lines.map((y, index) => (
        <g className="ats__lines" key={y}>
          <path d={columns === 2 ? `M16 ${y}h46` : `M16 ${y}h${index % 3 === 2 ? 70 : 104}`} />
          {columns === 2 && <path d={`M88 ${y}h${index % 2 === 0 ? 46 : 34}`} />}
        </g>
      ))}
      <path
        className="ats__path"
        d={
          columns === 2
            ? "M20 18 128 18 20 42 116 42 20 66 128 66 20 90 116 90 20 114 128 114 20 138 116 138"
            : "M20 18V150"
        }
      />
      <circle className="ats__start" cx="20" cy="18" r="5" />
      <path
        className="ats__path"
        d={columns === 2 ? "M110 132 116 138 110 144" : "M14 144 20 150 26 144"}
      />
    </svg>
  );
}

export function AtsSection() {
  const { t } = useTranslation("home");
  return (
    <section className="ats" aria-labelledby="ats-title">
      <div className="page-width ats__grid">
        <div className="ats__text">
          <h2 id="ats-title">{t("ats.title")}</h2>
          <p className="ats__body">{t("ats.body")}</p>
          <p>{t("ats.order")}</p>
          <ul className="ats__links">
            <li>
              <Link to="/ats/what-is-ats" data-track="home-what-is-ats">
                {t("ats.what")}
              </Link>
            </li>
            <li>
              <Link to="/ats/ats-friendly-resume" data-track="home-ats-friendly-resume">
                {t("ats.resume")}
              </Link>
            </li>
          </ul>
        </div>
        <div className="ats__pages" aria-hidden="true">
          <p>
            <ReadingOrder columns={2} />
            <s>{t("ats.columns")}</s>
          </p>
          <p>
            <ReadingOrder columns={1} />
            {t("ats.single")}
          </p>
        </div>
      </div>
    </section>
  );
}
