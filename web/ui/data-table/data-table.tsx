import { type RowSelectionState, type Updater, useTable } from "@tanstack/react-table";
import { useId, useMemo, useRef } from "react";

import { Button } from "../button/button.tsx";
import { Field } from "../field/field.tsx";
import { EmptyState } from "../view-state/view-state.tsx";
import { TableGrid } from "./table-grid.tsx";
import {
  type Column,
  columnDefinitions,
  features,
  matches,
  type RowData,
  type TableSelection,
  type TableView,
} from "./table-model.ts";

import "./data-table.css";

export type DataTableTexts = {
  /** Names the table. */
  caption: string;
  /** The label of the filter; without it there is no filter. */
  filter?: string;
  clearFilter: string;
  noMatch: string;
  /** Announced when a filter changes: how many of all rows are shown. */
  count: (shown: number, all: number) => string;
};

type DataTableProps<Row extends RowData> = {
  texts: DataTableTexts;
  /** The first column names the row. Must be stable between renders. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  view: TableView;
  onView: (view: TableView) => void;
  selection?: TableSelection<Row>;
  /** More rows are rendered only as they come into sight; 1,000 if not given. */
  renderedRowsMax?: number;
};

const applied = <State,>(updater: Updater<State>, before: State): State =>
  updater instanceof Function ? updater(before) : updater;

function useModel<Row extends RowData>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, view, onView, selection } = props;
  const language = document.documentElement.lang;
  const definitions = useMemo(() => columnDefinitions(columns, language), [columns, language]);
  const data = useMemo(() => [...rows], [rows]);
  const { filter, sort } = view;
  const sorting = sort === undefined ? [] : [{ id: sort.column, desc: sort.descending }];
  const rowSelection: RowSelectionState = Object.fromEntries(
    [...(selection?.ids ?? [])].map((id) => [id, true as const]),
  );
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    globalFilterFn: matches,
    enableSortingRemoval: false,
    state: { sorting, globalFilter: filter, rowSelection },
    onSortingChange: (updater) => {
      const [first] = applied(updater, sorting);
      onView({ filter, sort: first && { column: first.id, descending: first.desc } });
    },
    onRowSelectionChange: (updater) =>
      selection?.onChange(new Set(Object.keys(applied(updater, rowSelection)))),
  });
}

/**
 * A native table: sorted by buttons in its header, filtered by a text, with rows to select. Where it
 * has less than 480 px each row becomes a card; of many rows only those in sight are rendered.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { texts, rows, view, onView, selection } = props;
  const table = useModel(props);
  const filterId = useId();
  const field = useRef<HTMLInputElement>(null);
  const shown = table.getRowModel().rows.length;
  const clear = (): void => {
    onView({ ...view, filter: "" });
    field.current?.focus();
  };

  return (
    <div className="data-table">
      {texts.filter !== undefined && (
        <div className="data-table__tools">
          <Field id={filterId} label={texts.filter}>
            {(control) => (
              <input
                {...control}
                ref={field}
                type="search"
                dir="auto"
                value={view.filter}
                onChange={({ target }) => onView({ ...view, filter: target.value })}
              />
            )}
          </Field>
          <output className="data-table__count" htmlFor={filterId}>
            {texts.count(shown, rows.length)}
          </output>
        </div>
      )}
      {selection !== undefined && (
        <div className="data-table__bar" aria-live="polite">
          {selection.ids.size > 0 && selection.bar}
        </div>
      )}
      {shown === 0 && view.filter !== "" ? (
        <EmptyState
          title={texts.noMatch}
          action={<Button onClick={clear}>{texts.clearFilter}</Button>}
        />
      ) : (
        <TableGrid
          table={table}
          columns={props.columns}
          caption={texts.caption}
          selection={selection}
          renderedRowsMax={props.renderedRowsMax ?? 1000}
        />
      )}
    </div>
  );
}
