import {
  columnFilteringFeature,
  type ColumnDef,
  createFilteredRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  type Row as ModelRow,
  type RowData,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import type { ReactNode } from "react";

export type { RowData };

export type Column<Row> = {
  id: string;
  header: string;
  /** Sorts and filters; shown as it is where there is no `cell`. */
  value: (row: Row) => string | number;
  cell?: (row: Row) => ReactNode;
  /** Digits are aligned at the end. */
  numeric?: boolean;
  /** False where an order has no meaning. */
  sorts?: boolean;
};

/** What a visitor has set; a feature stores it in the address. */
export type TableView = {
  filter: string;
  sort: { column: string; descending: boolean } | undefined;
};

export type TableSelection<Row> = {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
  allLabel: string;
  rowLabel: (row: Row) => string;
  /** Shown while rows are selected: how many, and what can be done with them. */
  bar: ReactNode;
};

export const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSelectionFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
});
export type Features = typeof features;

const plain = (value: unknown): string => String(value).normalize("NFKD").toLowerCase();

/** Whether one column of the row contains the text, in any case. */
export const matches = <Row extends RowData>(
  row: ModelRow<Features, Row>,
  column: string,
  text: unknown,
): boolean => plain(row.getValue(column)).includes(plain(text));

/** Numbers by size, texts as the language of the page orders them. */
export function columnDefinitions<Row extends RowData>(
  columns: readonly Column<Row>[],
  language: string,
): ColumnDef<Features, Row>[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return columns.map(({ id, value, sorts = true }) => ({
    id,
    accessorFn: value,
    enableSorting: sorts,
    sortDescFirst: false,
    sortFn: (one: ModelRow<Features, Row>, other: ModelRow<Features, Row>) => {
      const [left, right] = [value(one.original), value(other.original)];
      return typeof left === "number" && typeof right === "number"
        ? left - right
        : compare(String(left), String(right));
    },
  }));
}
