import type { YearOfType } from "@pro-talent/schemas/privacy/overview-calls";
import { denialReasons } from "@pro-talent/schemas/privacy/reasons";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";

import { useLanguage } from "../../i18n/use-language.ts";
import { PageHeader } from "../../ui/app-shell/app-shell.tsx";
import { Button } from "../../ui/button/button.tsx";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { DataView } from "../../ui/data-view/data-view.tsx";
import { ReadingTable } from "../../ui/reading-table/reading-table.tsx";
import { Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { saveFile } from "../save-file.ts";
import { useViewTexts } from "../view-texts.ts";
import { metricsQuery } from "./overview-queries.ts";

import "./privacy-console.css";

const thisYear = (): number => new Date().getFullYear();
const ends = [
  "fulfilled",
  "fulfilledInPart",
  "denied",
  "withdrawn",
  "cancelled",
  "expired",
  "nothingHeld",
  "erased",
  "open",
] as const;
const figures = [
  "received",
  ...ends,
  "extended",
  "inTime",
  "late",
  "medianDays",
  "meanDays",
] as const;

const sumOf = (types: readonly YearOfType[], figure: (typeof ends)[number] | "received"): number =>
  types.reduce((sum, one) => sum + one[figure], 0);

const deniedFor = ({ deniedBy }: YearOfType, wanted: (typeof denialReasons)[number]): number =>
  deniedBy.find(({ reason }) => reason === wanted)?.count ?? 0;

/** RFC 4180; numbers and fixed words alone. The names stay as they are: programs read them. */
function saveTable(year: number, types: readonly YearOfType[]): void {
  const rows = [
    ["year", "type", ...figures, ...denialReasons.map((reason) => `denied: ${reason}`)],
    ...types.map((one) => [
      year,
      one.type,
      ...figures.map((figure) => one[figure] ?? ""),
      ...denialReasons.map((reason) => deniedFor(one, reason)),
    ]),
  ];
  const text = rows.map((row) => `${row.join(",")}\r\n`).join("");
  saveFile(new Blob([text], { type: "text/csv" }), `privacy-requests-${year}.csv`);
}

type Props = { year: number; types: readonly YearOfType[] };

function Charts({ types }: Pick<Props, "types">) {
  const { t } = useTranslation("privacy-metrics");
  const number = new Intl.NumberFormat(useLanguage());
  const received = sumOf(types, "received");
  const texts = { explore: t("explore"), showTable: t("showTable"), value: t("table.received") };
  const late = types.reduce((sum, one) => sum + one.late, 0);
  return (
    <>
      <section className="privacy-review__part" aria-labelledby="metrics-types">
        <h2 id="metrics-types">{t("byType.title")}</h2>
        <BarChart
          texts={{
            ...texts,
            sentence: t(late === 0 ? "byType.sentenceInTime" : "byType.sentence", {
              count: received,
              received: number.format(received),
              late: number.format(late),
            }),
            plot: t("byType.title"),
            label: t("table.type"),
          }}
          bars={types.map((one) => ({
            id: one.type,
            label: t(`types.${one.type}`),
            value: one.received,
          }))}
          formatValue={(value) => number.format(value)}
        />
      </section>
      <section className="privacy-review__part" aria-labelledby="metrics-ends">
        <h2 id="metrics-ends">{t("byEnd.title")}</h2>
        <BarChart
          texts={{
            ...texts,
            sentence: t("byEnd.sentence", {
              fulfilled: number.format(sumOf(types, "fulfilled")),
              partly: number.format(sumOf(types, "fulfilledInPart")),
              denied: number.format(sumOf(types, "denied")),
              open: number.format(sumOf(types, "open")),
            }),
            plot: t("byEnd.title"),
            label: t("byEnd.label"),
          }}
          bars={ends.map((end) => ({
            id: end,
            label: t(`table.${end}`),
            value: sumOf(types, end),
            doubtful: end === "open",
          }))}
          formatValue={(value) => number.format(value)}
        />
      </section>
    </>
  );
}

function Figures({ year, types }: Props) {
  const { t } = useTranslation("privacy-metrics");
  const number = new Intl.NumberFormat(useLanguage());
  const cellsOf = (valueOf: (one: YearOfType) => number | null) =>
    Object.fromEntries(
      types.map((one) => {
        const value = valueOf(one);
        return [one.type, value === null ? t("table.none") : number.format(value)];
      }),
    );
  // Reasons of which there was no denial say nothing.
  const reasons = denialReasons.filter((reason) => types.some((one) => deniedFor(one, reason) > 0));
  return (
    <section className="privacy-review__part" aria-labelledby="metrics-figures">
      <h2 id="metrics-figures">{t("table.caption", { year })}</h2>
      <p className="privacy-queue__quiet">{t("table.lead")}</p>

      <ReadingTable
        caption={t("table.caption", { year })}
        columns={[
          { id: "figure", header: t("table.figure") },
          ...types.map(({ type }) => ({ id: type, header: t(`types.${type}`), numeric: true })),
        ]}
        rows={[
          ...figures.map((figure) => ({
            id: figure,
            cells: { figure: t(`table.${figure}`), ...cellsOf((one) => one[figure]) },
          })),
          ...reasons.map((reason) => ({
            id: reason,
            cells: {
              figure: t("table.deniedFor", { reason: t(`reasons.${reason}`) }),
              ...cellsOf((one) => deniedFor(one, reason)),
            },
          })),
        ]}
      />
      <div className="privacy-review__acts">
        <Button onClick={() => saveTable(year, types)}>{t("csv")}</Button>
      </div>
    </section>
  );
}

/** The years that can be chosen. */
function Years({ year, years }: { year: number; years: readonly number[] }) {
  const { t } = useTranslation("privacy-metrics");
  const shown = [...new Set([year, ...years])].toSorted((a, b) => b - a);
  return (
    <nav aria-label={t("years")}>
      <ul className="privacy-queue__filters">
        {shown.map((one) => (
          <li key={one}>
            <Link
              to={`/console/privacy/metrics?year=${one}`}
              aria-current={one === year ? "page" : undefined}
              preventScrollReset
            >
              {one}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What was asked for and answered in a year, as a law asks for it, by type. */
export function MetricsPage() {
  const { t } = useTranslation("privacy-metrics");
  const [query] = useSearchParams();
  const asked = Number(query.get("year"));
  const year = Number.isInteger(asked) && asked >= 2020 && asked <= 2200 ? asked : thisYear();
  const loaded = useQuery(metricsQuery(year));
  const { texts, describe } = useViewTexts(t("loading"));
  return (
    <>
      <PageHeader title={t("title")} lead={t("lead")} />
      <div className="privacy-queue">
        <Years year={year} years={[thisYear(), ...(loaded.data?.years ?? [])]} />
        <DataView
          query={loaded}
          texts={texts}
          skeleton={<Skeleton shape="block" count={2} />}
          isEmpty={({ types }) => sumOf(types, "received") === 0}
          empty={{ title: t("empty.title", { year }), body: t("empty.body") }}
          describe={describe}
        >
          {({ types }) => (
            <div className="privacy-review__main">
              <Charts types={types} />
              <Figures year={year} types={types} />
            </div>
          )}
        </DataView>
      </div>
    </>
  );
}
