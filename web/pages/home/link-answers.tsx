import { useTranslation } from "react-i18next";

import { OpenedMark } from "../../ui/opened-mark/opened-mark.tsx";

import "./link-answers.css";

export function LinkAnswers() {
  const { t } = useTranslation("home");
  const { t: link } = useTranslation("link-record");
  return (
    <ul className="link-answers">
      <li>
        <span>{t("example.companies.harbour")}</span>
        <OpenedMark>{link("opened", { count: 14 })}</OpenedMark>
      </li>
      <li>
        <span>{t("example.companies.meridian")}</span>
        <OpenedMark>{link("opened", { count: 2 })}</OpenedMark>
      </li>
      <li>
        <span>{t("example.companies.carob")}</span>
        <span className="link-answers__waiting">{t("values.analytics.waiting")}</span>
      </li>
    </ul>
  );
}
