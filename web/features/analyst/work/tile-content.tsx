import { analystLimits } from "@pro-talent/schemas/analysts/limits";
import { useTranslation } from "react-i18next";

import { isNothing } from "../analyst-calls.ts";
import { AnswerView } from "../answer-view.tsx";
import { ResultChartView } from "../result/result-chart.tsx";
import { isNumeric, type ResultColumn, type ResultValue } from "../result/result-rows.ts";
import { ShortTable } from "../result/short-table.tsx";
import type { Chart, TileAnswer } from "./work-queries.ts";

/** A cell as it is shown: whole numbers of 64 bits arrive as texts, lists and tuples are their JSON. */
function valueOf(cell: unknown, { type }: ResultColumn): ResultValue {
  if (cell === undefined || cell === null) return null;
  if (typeof cell === "string") {
    const number = isNumeric(type) ? Number(cell) : Number.NaN;
    return Number.isSafeInteger(number) ? number : cell;
  }
  return typeof cell === "number" || typeof cell === "boolean" ? cell : JSON.stringify(cell);
}

type ResultProps = {
  title: string;
  result: { columns: readonly ResultColumn[]; rows: readonly (readonly unknown[])[] };
  chart: Chart;
};

/**
 * A result as its chart draws it; as a table where the columns that the chart names are not in it any
 * more.
 */
function TileResult({ title, result, chart }: ResultProps) {
  const { t } = useTranslation("analyst-work");
  const { columns } = result;
  const rows = result.rows.map((row) => columns.map((column, at) => valueOf(row[at], column)));
  const names = columns.map(({ name }) => name);
  if (rows.length === 0) return <p className="work-quiet">{t("tile.nothing")}</p>;
  const isPlotted = chart.kind === "line" || chart.kind === "bar";
  const hasX = !isPlotted || (chart.x !== null && names.includes(chart.x));
  const hasY = chart.y.length > 0 && chart.y.every((name) => names.includes(name));
  if (chart.kind === "table" || !hasX || !hasY)
    return <ShortTable title={title} columns={names} rows={rows} />;
  return <ResultChartView title={title} columns={columns} rows={rows} chart={chart} />;
}

/** Why groups are missing, and numbers of saved queries are not exact. */
function withheldOf({ isWithheld, rows }: Extract<TileAnswer, { kind: "query" }>["result"]) {
  if (!isWithheld) return "rounded";
  return rows.length === 0 ? "nothingNamed" : "withheldRounded";
}

type ContentProps = { title: string; answer: TileAnswer };

/** What a tile shows once it is there, and what is withheld in it. */
export function TileContent({ title, answer }: ContentProps) {
  const { t } = useTranslation("analyst-work");
  if (answer.kind === "question") {
    if (isNothing(answer.answer)) return <p className="work-quiet">{t("tile.tooFew")}</p>;
    return (
      <>
        <AnswerView {...answer} title={title} min={analystLimits.queryGroupVisitorsMin} />
        <p className="tile__withheld">{t("tile.rounded")}</p>
      </>
    );
  }
  const withheld = withheldOf(answer.result);
  return (
    <>
      {withheld !== "nothingNamed" && (
        <TileResult title={title} result={answer.result} chart={answer.chart} />
      )}
      <p className="tile__withheld">{t(`tile.${withheld}`)}</p>
    </>
  );
}
