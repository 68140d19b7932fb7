import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { ReadingTable } from "../../../ui/reading-table/reading-table.tsx";
import type { ResultValue } from "./result-rows.ts";

import "./result-chart.css";

/** More rows are read where the query is. */
const rowsMax = 60;

/** A region that scrolls has to be reached by the keyboard. */
const scrollRegion = { role: "region", tabIndex: 0 } as const;

type ShortTableProps = {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly ResultValue[])[];
};

/** The first rows of a result, to be read. */
export function ShortTable({ title, columns, rows }: ShortTableProps) {
  const { t } = useTranslation("analyst-result");
  const numbers = new Intl.NumberFormat(useLanguage());
  const number = (value: number): string => numbers.format(value);
  const shown = rows.slice(0, rowsMax);
  const isNumeric = (index: number): boolean =>
    index > 0 && shown.some((row) => typeof row[index] === "number");
  const textOf = (cell: ResultValue | undefined): string =>
    typeof cell === "number" ? number(cell) : String(cell ?? "");
  return (
    <>
      <div className="result-rows" aria-label={title} {...scrollRegion}>
        <ReadingTable
          caption={title}
          columns={columns.map((header, index) => ({
            id: String(index),
            header,
            numeric: isNumeric(index),
          }))}
          rows={shown.map((row, place) => ({
            id: String(place),
            cells: Object.fromEntries(
              row.map((cell, index) => [String(index), <bdi key="cell">{textOf(cell)}</bdi>]),
            ),
          }))}
        />
      </div>
      {rows.length > shown.length && (
        <p className="result-chart__note">
          {t("cut", { shown: number(shown.length), all: number(rows.length) })}
        </p>
      )}
    </>
  );
}
