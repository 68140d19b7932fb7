import { useTranslation } from "react-i18next";

import { LinkRecordView } from "../../../features/links/link-record-view.tsx";
import { buttonClass } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";
import { Link } from "../../routing.ts";
import { exampleLink } from "./example-link.ts";

import "./hero-section.css";

/** The question of every applicant, and beside it the answer: a real view of an invented link. */
export function HeroSection() {
  const { t } = useTranslation("home");
  return (
    <section className="hero page-width">
      <div className="hero__text">
        <h1 className="hero__title" tabIndex={-1}>
          <span>{t("hero.statement")}</span> <span>{t("hero.question")}</span>
        </h1>
        <p className="hero__lead">{t("hero.lead")}</p>
        <div className="hero__actions">
          <a className={buttonClass("solid")} href="#record" data-track="hero-record">
            {t("hero.see")}
            <Icon name="down" />
          </a>
          <Link className={buttonClass("quiet")} to="/about" data-track="hero-about">
            {t("hero.why")}
          </Link>
        </div>
        <p className="hero__status">{t("hero.status")}</p>
      </div>
      <figure className="hero__visual">
        <LinkRecordView record={exampleLink(t)} />
        <figcaption>{t("example.caption")}</figcaption>
      </figure>
    </section>
  );
}
