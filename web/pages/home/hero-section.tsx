import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { LinkRecordView } from "../../features/links/link-record-view.tsx";
import { useLanguage } from "../../i18n/use-language.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { StaticHtml } from "../../ui/hydration/static-html.tsx";
import { exampleLink } from "./example-link.ts";

import "./hero-section.css";

export function HeroSection() {
  const { t } = useTranslation("home");
  const language = useLanguage();
  return (
    <section className="hero page-width">
      <div className="hero__text">
        <h1 className="hero__title" tabIndex={-1}>
          <span>{t("hero.statement")}</span> <span>{t("hero.question")}</span>
        </h1>
        <p className="hero__lead">{t("hero.lead")}</p>
        <div className="hero__actions">
          <Link className={buttonClass("solid")} to="/signup" data-track="hero-signup">
            {t("hero.join")}
          </Link>
          <a className={buttonClass()} href="#pricing" data-track="hero-pricing">
            {t("hero.pricing")}
          </a>
        </div>
        <p className="hero__status">{t("hero.status")}</p>
      </div>
      <figure className="hero__visual">
        <StaticHtml key={language}>
          <LinkRecordView record={exampleLink(t)} />
        </StaticHtml>
        <figcaption>
          <span>{t("example.caption")}</span>{" "}
          <a href="#record" data-track="hero-record">
            {t("hero.record")}
          </a>
        </figcaption>
      </figure>
    </section>
  );
}
