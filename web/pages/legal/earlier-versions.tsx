import { earlierVersions, legalDocumentNames } from "@pro-talent/schemas/site/legal-documents";
import { useTranslation } from "react-i18next";

import { useLocation } from "../../app/routing.ts";
import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";

/** Links to the versions of the shown document that were in force before; nothing while there is none. */
export function EarlierVersions({ of = earlierVersions }: { of?: typeof earlierVersions }) {
  const { t } = useTranslation("legal");
  const language = useLanguage();
  const { pathname } = useLocation();
  const name = legalDocumentNames.find((document) => pathname === `/${document}`);
  if (name === undefined || of[name].length === 0) return null;
  return (
    <nav className="legal__versions" aria-labelledby="legal-versions">
      <p id="legal-versions">{t("earlier")}</p>
      <ul>
        {of[name].map((version) => (
          <li key={version}>
            <a className="legal__link" href={`/${name}/versions/${version}`}>
              {formatDate(language, version)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
