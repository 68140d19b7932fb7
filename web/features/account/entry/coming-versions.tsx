import { legalDocumentNames } from "@pro-talent/schemas/site/legal-documents";
import { comingVersions, versionPath } from "@pro-talent/schemas/site/legal-history";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { LinkedText } from "../../../ui/linked-text/linked-text.tsx";

/** Where terms or policy are accepted: what comes after the accepted version, from its release on. */
export function ComingVersions() {
  const { t } = useTranslation("account-entry");
  const language = useLanguage();
  return legalDocumentNames.map((name) => {
    const coming = comingVersions[name];
    if (coming === null) return null;
    const link = { text: t("join.coming.link"), href: versionPath(name, coming) };
    const document = t(`join.${name}Link`);
    return (
      <p key={name}>
        <LinkedText
          text={t("join.coming.text", { document, date: formatDate(language, coming) })}
          phrases={[link]}
        />
      </p>
    );
  });
}
