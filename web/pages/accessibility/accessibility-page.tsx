import { useTranslation } from "react-i18next";

import { formatDate } from "../../i18n/format.ts";
import { useLanguage } from "../../i18n/use-language.ts";
import { StaticHtml } from "../../ui/hydration/static-html.tsx";
import { LegalPage } from "../legal/legal-page.tsx";
import {
  accessibilityAddress,
  legalSections,
  LegalTable,
  legalUpdated,
  MailLine,
} from "../legal/legal-parts.tsx";

function LastReviewed() {
  const { t } = useTranslation("accessibility");
  return <p>{t("more.date", { date: formatDate(useLanguage(), legalUpdated) })}</p>;
}

export function Page() {
  const { t } = useTranslation("accessibility");
  const language = useLanguage();
  const sections = legalSections(t("sections", { returnObjects: true }), {
    keys: (
      <LegalTable
        {...t("keys", { returnObjects: true })}
        render={(text, column) => (column === 0 ? <kbd dir="ltr">{text}</kbd> : text)}
      />
    ),
    help: <MailLine label={t("more.coordinator")} address={accessibilityAddress} />,
    date: (
      <StaticHtml key={language}>
        <LastReviewed />
      </StaticHtml>
    ),
  });
  return <LegalPage title={t("title")} lead={t("lead")} sections={sections} />;
}
