import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";

import "./values-section.css";

function Rule({ term, body, proof }: { term: string; body: string; proof: ReactNode }) {
  return (
    <li className="rules__rule">
      <h3>{term}</h3>
      <p>{body}</p>
      <p className="rules__proof">{proof}</p>
    </li>
  );
}

/** Four values, each with a link to evidence. */
export function ValuesSection() {
  const { t } = useTranslation("about");
  return (
    <section className="rules" aria-labelledby="values-title">
      <div className="page-width">
        <h2 id="values-title">{t("values.title")}</h2>
        <ul className="rules__list">
          <Rule
            term={t("values.accessibility.term")}
            body={t("values.accessibility.body")}
            proof={
              <Link to="/accessibility" data-track="about-accessibility">
                {t("values.accessibility.proof")}
              </Link>
            }
          />
          <Rule
            term={t("values.privacy.term")}
            body={t("values.privacy.body")}
            proof={
              <Link to="/privacy" data-track="about-privacy">
                {t("values.privacy.proof")}
              </Link>
            }
          />
          <Rule
            term={t("values.global.term")}
            body={t("values.global.body")}
            proof={t("values.global.proof")}
          />
          <Rule
            term={t("values.innovation.term")}
            body={t("values.innovation.body")}
            proof={
              <Link to="/#record" data-track="about-record">
                {t("values.innovation.proof")}
              </Link>
            }
          />
        </ul>
      </div>
    </section>
  );
}
