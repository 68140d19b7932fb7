import { useTranslation } from "react-i18next";

import { buttonClass } from "../../../ui/button/button.tsx";
import { Link } from "../../routing.ts";

import "./closing-section.css";

export function ClosingSection() {
  const { t } = useTranslation("home");
  return (
    <section className="closing page-width" aria-labelledby="closing-title">
      <h2 id="closing-title">{t("closing.title")}</h2>
      <p>{t("closing.body")}</p>
      <Link className={buttonClass()} to="/about" data-track="closing-about">
        {t("closing.about")}
      </Link>
    </section>
  );
}
