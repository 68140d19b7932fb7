import type { OwnConsent } from "@pro-talent/schemas/privacy/consent-receipt";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { accountApi, fetchFile } from "../../../api-client/account-api.ts";
import { queryAnswer } from "../../../api-client/query-answer.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import { instantText } from "../../instant-text.ts";
import { saveFile } from "../../save-file.ts";
import { privacyKey } from "./requests-query.ts";

export const consentsQuery = queryOptions({
  queryKey: [...privacyKey, "consents"],
  queryFn: () => queryAnswer(accountApi().call("GET /api/privacy/consents", {})),
});

async function saveReceipt(receiptId: string): Promise<void> {
  const file = await fetchFile(`/api/privacy/consents/${receiptId}/receipt`);
  if (file === undefined) throw new Error("There is no receipt");
  saveFile(file, `consent-${receiptId.slice(0, 8)}.json`);
}

/** Consents and withdrawals, each with its receipt. */
export function Consents({ consents }: { consents: readonly OwnConsent[] }) {
  const { t } = useTranslation("account-privacy");
  const language = useLanguage();
  const saving = useMutation({ mutationFn: saveReceipt });
  const rows = consents.map(({ receiptId, subject, decision, at, version }) => {
    const name = `${t(`consents.subjects.${subject}`)}, ${instantText(language, at)}`;
    return {
      id: receiptId,
      cells: {
        subject: t(`consents.subjects.${subject}`),
        decision: t(`consents.decisions.${decision}`),
        at: <time dateTime={at}>{instantText(language, at)}</time>,
        version: version === null ? "" : <bdi dir="ltr">{version}</bdi>,
        receipt: (
          <Button disabled={saving.isPending} onClick={() => saving.mutate(receiptId)}>
            {t("consents.download")} <span className="visually-hidden">{name}</span>
          </Button>
        ),
      },
    };
  });
  return (
    <>
      <Notice kind="error">{saving.isError && t("consents.failed")}</Notice>
      <ReadingTable
        caption={t("consents.title")}
        columns={[
          { id: "subject", header: t("consents.subject") },
          { id: "decision", header: t("consents.decision") },
          { id: "at", header: t("consents.at") },
          { id: "version", header: t("consents.version") },
          { id: "receipt", header: t("consents.receipt"), numeric: true },
        ]}
        rows={rows}
      />
      <p className="settings__note">
        {t("consents.verify", {
          command: "\u2066node verify.mjs receipt.json\u2069",
          keys: "\u2066/api/privacy/keys\u2069",
        })}
      </p>
    </>
  );
}
