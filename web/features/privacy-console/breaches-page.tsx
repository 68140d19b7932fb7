import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { instantText } from "../instant-text.ts";
import { lazyPart } from "../lazy-part.tsx";
import { useViewTexts } from "../view-texts.ts";
import { Countdown } from "./breach-parts.tsx";
import { breachesQuery, type ListedBreach } from "./breach-queries.ts";

import "./privacy-console.css";
import "./breaches.css";

// Loaded when a breach is recorded.
const BreachForm = lazyPart(async () => (await import("./breach-form.tsx")).BreachForm);

function Register({ breaches }: { breaches: readonly ListedBreach[] }) {
  const { t } = useTranslation("breaches");
  const language = useLanguage();
  const number = new Intl.NumberFormat(language);
  const columns = ["breach", "deadline", "authority", "subjects", "people", "state"] as const;
  return (
    <ReadingTable
      caption={t("title")}
      columns={columns.map((id) => ({
        id,
        header: t(`table.${id}`),
        numeric: id === "people",
      }))}
      rows={breaches.map((breach) => ({
        id: breach.breachId,
        cells: {
          breach: (
            <Link
              className="privacy-queue__open"
              to={`/console/privacy/breaches/${breach.breachId}`}
            >
              {instantText(language, breach.discoveredAt)}
              <span className="visually-hidden"> {breach.breachId.slice(0, 8)}</span>
            </Link>
          ),
          deadline: <Countdown breach={breach} />,
          authority: t(`notice.${breach.authority}`),
          subjects: t(`notice.${breach.subjects}`),
          people: number.format(breach.people),
          state: t(breach.closedAt === null ? "open" : "closed"),
        },
      }))}
    />
  );
}

/** The register of breaches; a new one is recorded here. */
export function BreachesPage() {
  const { t } = useTranslation("breaches");
  const [isRecording, setIsRecording] = useState(false);
  const query = useQuery(breachesQuery);
  const { texts, describe } = useViewTexts(t("loading"));
  const record = (
    <Button variant="solid" onClick={() => setIsRecording(true)}>
      {t("form.recordTitle")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="privacy-queue">
        {isRecording ? (
          <Suspense fallback={<Skeleton shape="block" count={1} />}>
            <BreachForm onDone={() => setIsRecording(false)} />
          </Suspense>
        ) : (
          <p>{record}</p>
        )}
        <DataView
          query={query}
          texts={texts}
          skeleton={<Skeleton shape="row" count={3} />}
          isEmpty={({ breaches }) => breaches.length === 0}
          empty={{ title: t("empty.title"), body: t("empty.body") }}
          describe={describe}
        >
          {({ breaches }) => <Register breaches={breaches} />}
        </DataView>
      </div>
    </>
  );
}
