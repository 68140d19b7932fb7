import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";

import { Button } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/view-state/view-state.tsx";
import { lazyPart } from "../lazy-part.tsx";
import type { KeptQuery } from "./kept-queries.ts";
import type { FileKind, QueryRun, RunState } from "./query-run.ts";
import { ChartChoice, type ChartChoiceProps } from "./result/chart-choice.tsx";
import { fittingChart, pointsMax } from "./result/chart-of.ts";
import type { ResultValue } from "./result/result-rows.ts";
import type { ShownResult } from "./result/result-source.ts";
import { ResultTable } from "./result/result-table.tsx";
import { useAmounts } from "./run-bar.tsx";

const ResultChartView = lazyPart(
  async () => (await import("./result/result-chart.tsx")).ResultChartView,
);

const fileKinds = ["csv", "ndjson", "parquet"] as const;
const firstQueries = {
  pages:
    "SELECT page, sum(page_views) AS views, sum(sessions) AS visits\nFROM page_views_daily\nWHERE day >= today() - 30 AND is_bot = 0\nGROUP BY page\nORDER BY views DESC\nLIMIT 20",
  days: "SELECT day, count() AS visits\nFROM sessions\nWHERE day >= today() - 30 AND is_bot = 0\nGROUP BY day\nORDER BY day",
  countries:
    "SELECT country, uniq(visitor_id) AS visitors\nFROM sessions\nWHERE day >= today() - 30 AND is_bot = 0\nGROUP BY country\nORDER BY visitors DESC",
} as const;
const firstNames = ["pages", "days", "countries"] as const;

function useFirstRows({ source, columns, count }: ShownResult, wanted: boolean) {
  const [rows, setRows] = useState<readonly (readonly ResultValue[])[]>();
  useEffect(() => {
    if (!wanted) return undefined;
    let isShown = true;
    const range = {
      fromRow: 0,
      toRow: Math.min(count, pointsMax + 1),
      fromColumn: 0,
      toColumn: columns.length,
    };
    void source
      .read(range)
      .then((read) => isShown && setRows(read))
      // Closed meanwhile: nothing is shown of it any more.
      .catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [source, columns.length, count, wanted]);
  return rows;
}

function Shown({ result, chart: chosen, onChange }: ChartChoiceProps) {
  const { t } = useTranslation("analyst");
  const chart = fittingChart(result.columns, chosen);
  const rows = useFirstRows(result, chart.kind !== "table");
  return (
    <>
      <ChartChoice result={result} chart={chart} onChange={onChange} />
      {chart.kind === "table" && <ResultTable caption={t("result.caption")} result={result} />}
      {chart.kind !== "table" && rows !== undefined && (
        <ResultChartView
          title={t("result.chartOf")}
          columns={result.columns}
          rows={rows}
          chart={chart}
        />
      )}
    </>
  );
}

type ExportsProps = { state: RunState; rowsMax: number; onExport: (kind: FileKind) => void };

function Exports({ state, rowsMax, onExport }: ExportsProps) {
  const { t } = useTranslation("analyst");
  const { number } = useAmounts();
  const isBusy = state.is === "running" || state.is === "cancelling";
  return (
    <div className="result-panel__export">
      <span className="field__label">{t("export.label")}</span>
      {fileKinds.map((kind) => (
        <Button
          key={kind}
          variant="text"
          disabled={isBusy}
          aria-label={t("export.as", { kind: t(`export.${kind}`) })}
          onClick={() => onExport(kind)}
        >
          {t(`export.${kind}`)}
        </Button>
      ))}
      <span className="result-panel__hint">{t("export.hint", { shown: number(rowsMax) })}</span>
    </div>
  );
}

type ResultPanelProps = {
  run: QueryRun;
  query: KeptQuery;
  rowsMax: number;
  onExport: (kind: FileKind) => void;
  onChange: (part: Partial<KeptQuery>) => void;
};

/** What the query found: the invitation before it, nothing found, or rows as a table or a chart. */
export function ResultPanel({ run, query, rowsMax, onExport, onChange }: ResultPanelProps) {
  const { t } = useTranslation("analyst");
  const id = useId();
  const state = useSyncExternalStore(run.subscribe, run.snapshot);
  const shown = run.shown();
  if (shown === undefined && state.is !== "idle") return null;
  const body = (): ReactNode => {
    if (shown === undefined && query.text.trim() !== "")
      return <EmptyState title={t("unrun.title")} body={t("unrun.body")} />;
    if (shown === undefined)
      return (
        <EmptyState
          title={t("first.title")}
          body={t("first.body")}
          action={
            <div className="result-panel__first">
              {firstNames.map((name) => (
                <Button key={name} onClick={() => onChange({ text: firstQueries[name] })}>
                  {t(`first.${name}`)}
                </Button>
              ))}
            </div>
          }
        />
      );
    if (shown.result.count === 0)
      return <EmptyState title={t("none.title")} body={t("none.body")} />;
    return (
      <Shown
        key={shown.milliseconds + shown.bytes}
        result={shown.result}
        chart={query.chart}
        onChange={(chart) => onChange({ chart })}
      />
    );
  };
  return (
    <section className="result-panel" aria-labelledby={id}>
      <div className="result-panel__head">
        <h2 id={id}>{t("result.title")}</h2>
        {shown !== undefined && <Exports state={state} rowsMax={rowsMax} onExport={onExport} />}
      </div>
      {shown !== undefined && shown.asked.text !== query.text && (
        <p className="result-panel__hint">{t("run.stale")}</p>
      )}
      {body()}
    </section>
  );
}
