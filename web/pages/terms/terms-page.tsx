import { useTranslation } from "react-i18next";

import { Link } from "../../app/routing.ts";
import { supportAddress } from "../legal/addresses.ts";
import { readClauses } from "../legal/clauses.tsx";
import { LegalPage } from "../legal/legal-page.tsx";
import { MailLine } from "../legal/mail-line.tsx";
import { PriceTable } from "./price-table.tsx";
import { termsClauses } from "./terms-clauses.ts";

export function TermsPage() {
  const { t } = useTranslation("terms");
  const sections = readClauses(termsClauses, (key) => t(key), {
    plans: <PriceTable />,
    links: (
      <p>
        <Link to="/privacy#links">{t("links.more")}</Link>
      </p>
    ),
    contact: <MailLine label={t("contact.body")} address={supportAddress} />,
  });
  return (
    <LegalPage
      title={t("title")}
      lead={t("lead")}
      facts={[
        { term: t("facts.refund"), detail: t("facts.refundDetail") },
        { term: t("facts.renewal"), detail: t("facts.renewalDetail") },
        { term: t("facts.changes"), detail: t("facts.changesDetail") },
        { term: t("facts.content"), detail: t("facts.contentDetail") },
      ]}
      numbered
      sections={sections}
    />
  );
}
