import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { privacyAddress } from "../legal/addresses.ts";
import { readClauses } from "../legal/clauses.tsx";
import { LegalPage } from "../legal/legal-page.tsx";
import { MailLine } from "../legal/mail-line.tsx";
import { OpenSettings } from "../legal/open-settings.tsx";
import { PurposeTable, RetentionTable } from "./handling-tables.tsx";
import { privacyClauses } from "./privacy-clauses.ts";
import { RecordedTable } from "./recorded-table.tsx";

/** The licence of the location database requires this line. */
function PlaceCredit() {
  const { t } = useTranslation("privacy");
  return (
    <p className="legal__aside">
      {t("with.credit")} <a href="https://db-ip.com">{t("with.creditLink")}</a>
    </p>
  );
}

export function PrivacyPage() {
  const { t } = useTranslation("privacy");
  const sections = readClauses(privacyClauses, (key) => t(key), {
    recorded: <RecordedTable />,
    "with-consent": <PlaceCredit />,
    withdraw: <OpenSettings />,
    storage: (
      <p>
        <Link to="/cookie-policy">{t("storage.link")}</Link>
      </p>
    ),
    purposes: <PurposeTable />,
    retention: <RetentionTable />,
    requests: <MailLine label={t("requests.write")} address={privacyAddress} />,
    contact: <MailLine label={t("contact.body")} address={privacyAddress} />,
  });
  return (
    <LegalPage
      title={t("title")}
      lead={t("lead")}
      facts={[
        { term: t("facts.address"), detail: t("facts.addressDetail") },
        { term: t("facts.sold"), detail: t("facts.soldDetail") },
        { term: t("facts.answer"), detail: t("facts.answerDetail") },
        { term: t("facts.records"), detail: t("facts.recordsDetail") },
      ]}
      numbered
      sections={sections}
    />
  );
}
