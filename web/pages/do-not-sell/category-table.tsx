import { useTranslation } from "react-i18next";

import { LegalTable } from "../legal/legal-table.tsx";

/** The categories of California law that occur here. */
export function CategoryTable() {
  const { t } = useTranslation("do-not-sell");
  const no = t("categories.no");
  return (
    <LegalTable
      caption={t("categories.caption")}
      columns={[t("categories.category"), t("categories.here"), t("categories.sold")]}
      rows={[
        [t("categories.identifiers"), t("categories.identifiersHere"), no],
        [t("categories.activity"), t("categories.activityHere"), no],
        [t("categories.location"), t("categories.locationHere"), no],
        [t("categories.commercial"), t("categories.commercialHere"), no],
        [t("categories.work"), t("categories.workHere"), no],
      ]}
    />
  );
}
