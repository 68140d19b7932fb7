import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { accountApi } from "../../../api-client/account-api.ts";
import type { CallAnswer } from "../../../api-client/request.ts";
import { formatDate } from "../../../i18n/format.ts";
import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { DataView } from "../../../ui/data-view/data-view.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../../ui/skeleton/skeleton.tsx";
import { type Trouble, troubleIn } from "../billing-calls.ts";
import { invoicesQuery } from "../billing-queries.ts";
import { moneyText } from "../billing-texts.ts";
import { useBillingView } from "../billing-view.ts";

type Invoice = CallAnswer<"GET /api/invoices">["documents"][number];

/** Opens a document with a ticket: a download has no bearer token, and no token is in an address. */
function useDownload() {
  const [opening, setOpening] = useState<string>();
  const [trouble, setTrouble] = useState<Trouble>();
  const download = async (documentId: string): Promise<void> => {
    setOpening(documentId);
    setTrouble(undefined);
    try {
      const path = `/api/invoices/${documentId}/pdf`;
      const result = await accountApi().call("POST /api/account/tickets", { body: { path } });
      if (result.ok && result.answer !== undefined)
        location.assign(
          `${path}?${new URLSearchParams({ ticket: result.answer.ticket }).toString()}`,
        );
      else setTrouble(troubleIn(result));
    } catch {
      setTrouble("network");
    }
    setOpening(undefined);
  };
  return { opening, trouble, download };
}

function InvoiceTable({ documents }: { documents: readonly Invoice[] }) {
  const { t } = useTranslation(["subscription", "billing"]);
  const language = useLanguage();
  const { opening, trouble, download } = useDownload();
  const rows = documents.map(
    ({ documentId, label, kind, issuedOn, total, currency, corrects }) => ({
      id: documentId,
      cells: {
        number: <bdi dir="ltr">{label}</bdi>,
        kind: [
          t(`invoices.kind.${kind}`),
          ...(corrects === null ? [] : [t("invoices.corrects", { number: corrects })]),
        ].join(" "),
        on: <time dateTime={issuedOn}>{formatDate(language, issuedOn)}</time>,
        total: <bdi dir="ltr">{moneyText({ amount: total, currency })}</bdi>,
        file: (
          <Button disabled={opening === documentId} onClick={() => void download(documentId)}>
            {t("invoices.download")} <span className="visually-hidden">{label}</span>
          </Button>
        ),
      },
    }),
  );
  return (
    <>
      <Notice kind="error">{trouble && t(`billing:trouble.${trouble}`)}</Notice>
      <ReadingTable
        caption={t("invoices.title")}
        columns={[
          { id: "number", header: t("invoices.number") },
          { id: "kind", header: t("invoices.what") },
          { id: "on", header: t("invoices.on") },
          { id: "total", header: t("invoices.total"), numeric: true },
          { id: "file", header: t("invoices.file"), numeric: true },
        ]}
        rows={rows}
      />
    </>
  );
}

/** Invoices and credit notes, the newest first. */
export function Invoices() {
  const { t } = useTranslation("subscription");
  const query = useQuery(invoicesQuery);
  const { texts, describe } = useBillingView("invoices");
  return (
    <section className="billing-part" aria-labelledby="invoices">
      <h2 id="invoices" className="billing-part__title">
        {t("invoices.title")}
      </h2>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={3} />}
        isEmpty={({ documents }) => documents.length === 0}
        empty={{ title: t("invoices.empty"), body: t("invoices.emptyBody") }}
        describe={describe}
      >
        {({ documents }) => <InvoiceTable documents={documents} />}
      </DataView>
    </section>
  );
}
