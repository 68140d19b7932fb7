import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../../../i18n/use-language.ts";
import { daysUntil } from "../../days-until.ts";
import { useLateTexts } from "../../late-texts.ts";
import { openDeletion, requestsQuery } from "./requests-query.ts";

import "./deletion-banner.css";

/** Above every page of an account that is going to be deleted. */
export function DeletionBanner() {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const { data } = useQuery(requestsQuery);
  const deletion = openDeletion(data?.requests ?? [])?.deletion;
  const isShown = deletion?.cancellable === true;
  const hasTexts = useLateTexts("account-privacy", isShown);
  if (!isShown || !hasTexts) return null;
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
  return (
    <aside className="deletion-banner" aria-label={t("banner.label")}>
      <p>
        <strong>{t("banner.on", { date: date.format(Date.parse(deletion.eraseAt)) })}</strong>{" "}
        {t("banner.left", { count: Math.max(0, daysUntil(deletion.eraseAt)) })}{" "}
        {t("banner.restricted")}
      </p>
      <Link to="/account/privacy#privacy-delete">{t("banner.cancel")}</Link>
    </aside>
  );
}
