import type { HeldSection } from "@pro-talent/schemas/privacy/held-data";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../i18n/use-language.ts";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { HeldRecords } from "../held-records.tsx";
import { useViewTexts } from "../view-texts.ts";
import { previewQuery } from "./console-queries.ts";

type SectionProps = { id: string; title: string; lead?: string; children: ReactNode };

/** A part of the page of a request. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section className="privacy-review__part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead !== undefined && <p className="privacy-queue__quiet">{lead}</p>}
      {children}
    </section>
  );
}

type Counted = { store: HeldSection["section"]; items: number };

/** Items of each store, as a bar and a number. */
function StoreTable({ stores }: { stores: readonly Counted[] }) {
  const { t } = useTranslation(["privacy-console", "account-privacy"]);
  const number = new Intl.NumberFormat(useLanguage());
  const most = Math.max(1, ...stores.map(({ items }) => items));
  return (
    <ReadingTable
      caption={t("preview.caption")}
      columns={[
        { id: "store", header: t("preview.store") },
        { id: "items", header: t("preview.items"), numeric: true },
      ]}
      rows={stores.map(({ store, items }) => ({
        id: store,
        cells: {
          store: t(`account-privacy:held.sections.${store}`),
          items: (
            <span className="privacy-review__count">
              <meter className="privacy-review__bar" max={most} value={items} aria-hidden />
              {number.format(items)}
            </span>
          ),
        },
      }))}
    />
  );
}

/** How much of each store the request is about, and the recipients of the data. */
export function Preview({ requestId }: { requestId: string }) {
  const { t } = useTranslation(["privacy-console", "account-privacy"]);
  const query = useQuery(previewQuery(requestId));
  const { texts, describe } = useViewTexts(t("preview.loading"));
  return (
    <Section id="privacy-preview" title={t("preview.title")} lead={t("preview.lead")}>
      <DataView
        query={query}
        texts={texts}
        skeleton={<Skeleton shape="row" count={4} />}
        isEmpty={({ stores, missing }) => stores.length === 0 && missing.length === 0}
        empty={{ title: t("preview.empty") }}
        describe={describe}
        partial={({ missing }) =>
          missing.length === 0
            ? undefined
            : t("preview.missing", {
                stores: missing
                  .map((store) => t(`account-privacy:held.sections.${store}`))
                  .join(", "),
              })
        }
      >
        {({ stores, recipients }) => (
          <>
            <StoreTable stores={stores} />
            {recipients.length > 0 && (
              <>
                <h3>{t("preview.recipients")}</h3>
                <HeldRecords records={recipients} />
              </>
            )}
          </>
        )}
      </DataView>
    </Section>
  );
}
