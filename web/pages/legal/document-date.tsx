import { legalDocumentNames } from "@pro-talent/schemas/site/legal-documents";
import { comingVersions, versionPath, versionsPath } from "@pro-talent/schemas/site/legal-history";
import { useTranslation } from "react-i18next";

import { routeOf } from "../../app/routes.ts";
import { useLocation } from "../../app/routing.ts";
import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { legalDays } from "./legal-days.ts";
import { legalUpdated } from "./legal-parts.tsx";

/**
 * When a legal text changed last; of the terms and the policy also their versions, and when the coming one
 * takes effect. Static, so that it costs the scripts of a first visit nothing. The links load documents.
 */
export function DocumentDate() {
  const { t } = useTranslation("document-date");
  const language = useLanguage();
  const { path } = routeOf(useLocation().pathname);
  const updated = legalDays[path] ?? legalUpdated;
  const name = legalDocumentNames.find((document) => path === `/${document}`);
  const coming = name === undefined ? null : comingVersions[name];
  return (
    <>
      <p>
        <time dateTime={updated}>{t("updated", { date: formatDate(language, updated) })}</time>
        {name !== undefined && (
          <>
            {" · "}
            <a className="legal__link" href={versionsPath(name)}>
              {t("versions")}
            </a>
          </>
        )}
      </p>
      {name !== undefined && coming !== null && (
        <p className="legal__coming">
          {t("coming", { date: formatDate(language, coming) })}{" "}
          <a className="legal__link" href={versionPath(name, coming)}>
            {t("read")}
          </a>
        </p>
      )}
    </>
  );
}
