import { useTranslation } from "react-i18next";

import { buttonClass } from "../../../ui/button/button.tsx";
import { Link } from "../../routing.ts";

import "./not-found-page.css";

export function NotFoundPage() {
  const { t } = useTranslation("not-found");
  return (
    <div className="not-found page-width">
      <h1 tabIndex={-1}>{t("title")}</h1>
      <p className="not-found__body">{t("body")}</p>
      <p className="not-found__aside">{t("aside")}</p>
      <Link className={buttonClass("solid")} to="/">
        {t("home")}
      </Link>
    </div>
  );
}
