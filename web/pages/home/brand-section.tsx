import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";

import "./brand-section.css";

export function BrandSection() {
  const { t } = useTranslation("home");
  return (
    <section className="brand-story page-width" aria-labelledby="brand-title">
      <h2 id="brand-title">{t("brand.title")}</h2>
      <dl className="brand-story__words">
        <div>
          <dt lang="en" dir="ltr">
            {t("brand.words.pro")}
          </dt>
          <dd>{t("brand.pro")}</dd>
        </div>
        <div>
          <dt lang="en" dir="ltr">
            {t("brand.words.talent")}
          </dt>
          <dd>{t("brand.talent")}</dd>
        </div>
      </dl>
      <p className="brand-story__end">
        <span>{t("brand.together")}</span>{" "}
        <Link to="/brand/pro-talent-meaning" data-track="home-brand">
          {t("brand.more")}
        </Link>
      </p>
    </section>
  );
}
