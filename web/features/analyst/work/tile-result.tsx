import { useTranslation } from "react-i18next";

import { ResultChartView } from "../result/result-chart.tsx";
import { isNumeric, type ResultColumn, type ResultValue } from "../result/result-rows.ts";
import { ShortTable } from "./short-table.tsx";
import type { Chart } from "./work-queries.ts";

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
export function TileResult({ title, result, chart }: ResultProps) {
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
