import type { HeldSection } from "@pro-talent/schemas/privacy/held-data";
import { queryOptions } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { HeldRecords } from "../../held-records.tsx";
import { privacyKey } from "./requests-query.ts";

import "./held-data.css";

export const heldQuery = queryOptions({
  queryKey: [...privacyKey, "held"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/held", {})),
});

function Section({ section, records }: HeldSection) {
  const { t } = useTranslation("account-privacy");
  return (
    <details className="held">
      <summary className="held__summary">
        <span className="settings__name">{t(`held.sections.${section}`)}</span>
        <span className="settings__note">{t("held.records", { count: records.length })}</span>
      </summary>
      <HeldRecords records={records} />
    </details>
  );
}

/** Everything that is held, a section for each purpose; each opens on its own. */
export function HeldData({ sections }: { sections: readonly HeldSection[] }) {
  return (
    <div className="settings__rows">
      {sections.map((section) => (
        <Section key={section.section} {...section} />
      ))}
    </div>
  );
}
