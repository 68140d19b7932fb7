import { useTranslation } from "react-i18next";

import { LegalTable } from "../legal/legal-table.tsx";

/** Every purpose with its legal basis. */
export function PurposeTable() {
  const { t } = useTranslation("privacy");
  return (
    <LegalTable
      caption={t("purposes.caption")}
      columns={[t("purposes.purpose"), t("purposes.basis")]}
      rows={[
        [t("purposes.measure"), t("purposes.measureBasis")],
        [t("purposes.write"), t("purposes.writeBasis")],
        [t("purposes.answer"), t("purposes.answerBasis")],
        [t("purposes.provide"), t("purposes.provideBasis")],
        [t("purposes.opens"), t("purposes.opensBasis")],
        [t("purposes.protect"), t("purposes.protectBasis")],
        [t("purposes.duty"), t("purposes.dutyBasis")],
      ]}
    />
  );
}

/** How long each kind of record is kept; must agree with infra/docs/data-assets.md. */
export function RetentionTable() {
  const { t } = useTranslation("privacy");
  return (
    <LegalTable
      caption={t("retention.caption")}
      columns={[t("retention.what"), t("retention.until")]}
      rows={[
        [t("retention.visits"), t("retention.visitsUntil")],
        [t("retention.counters"), t("retention.countersUntil")],
        [t("retention.browser"), t("retention.browserUntil")],
        [t("retention.proof"), t("retention.proofUntil")],
        [t("retention.newsletter"), t("retention.newsletterUntil")],
        [t("retention.messages"), t("retention.messagesUntil")],
        [t("retention.account"), t("retention.accountUntil")],
        [t("retention.invoices"), t("retention.invoicesUntil")],
        [t("retention.backups"), t("retention.backupsUntil")],
      ]}
    />
  );
}
