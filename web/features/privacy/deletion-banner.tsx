import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { daysUntil, openDeletion, requestsQuery } from "./requests-query.ts";

import "./deletion-banner.css";

/** Above every page of an account that is going to be deleted. */
export function DeletionBanner() {
  const { t } = useTranslation("account");
  const language = useLanguage();
  const { data } = useQuery(requestsQuery);
  const deletion = openDeletion(data?.requests ?? [])?.deletion;
  if (deletion?.cancellable !== true) return null;
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
  return (
    <aside className="deletion-banner" aria-label={t("deletion.label")}>
      <p>
        <strong>{t("deletion.on", { date: date.format(Date.parse(deletion.eraseAt)) })}</strong>{" "}
        {t("deletion.left", { count: daysUntil(deletion.eraseAt) })}
      </p>
      <Link to="/account/privacy#privacy-delete">{t("deletion.cancel")}</Link>
    </aside>
  );
}
