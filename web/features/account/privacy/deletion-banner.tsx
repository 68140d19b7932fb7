import type { Locale } from "@pro-talent/schemas/primitives/locale";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { i18n } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { loadTranslations } from "../../../i18n/translations.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { daysUntil } from "../../days-until.ts";
import { openDeletion, requestsQuery } from "./requests-query.ts";

import "./deletion-banner.css";

/** The texts of the page of privacy, in this language. */
const textsQuery = (translator: i18n, language: Locale) =>
  queryOptions({
    queryKey: ["texts", "account-privacy", language],
    queryFn: async () => {
      await loadTranslations(translator, language, ["account-privacy"]);
      return true;
    },
  });

/** Above every page of an account that is going to be deleted. */
export function DeletionBanner() {
  const { t, i18n: translator } = useTranslation("account-privacy");
  const language = useLanguage();
  const { data } = useQuery(requestsQuery);
  const deletion = openDeletion(data?.requests ?? [])?.deletion;
  const isShown = deletion?.cancellable === true;
  const texts = useQuery({ ...textsQuery(translator, language), enabled: isShown });
  if (!isShown || texts.data === undefined) return null;
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
  return (
    <aside className="deletion-banner" aria-label={t("banner.label")}>
      <p>
        <strong>{t("banner.on", { date: date.format(Date.parse(deletion.eraseAt)) })}</strong>{" "}
        {t("banner.left", { count: Math.max(0, daysUntil(deletion.eraseAt)) })}
      </p>
      <Link to="/account/privacy#privacy-delete">{t("banner.cancel")}</Link>
    </aside>
  );
}
