import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { buttonClass } from "../../ui/button/button.tsx";

import "./next-section.css";

export function NextSection() {
  const { t } = useTranslation("about");
  return (
    <section className="next" aria-labelledby="next-title">
      <div className="page-width next__row">
        <div>
          <h2 id="next-title">{t("next.title")}</h2>
          <p>{t("next.body")}</p>
        </div>
        <p className="next__links">
          <Link className={buttonClass("solid")} to="/contact" data-track="about-contact">
            {t("next.contact")}
          </Link>
          <Link className={buttonClass()} to="/" data-track="about-home">
            {t("next.home")}
          </Link>
        </p>
      </div>
    </section>
  );
}
