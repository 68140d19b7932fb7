import type { ReactTable, Row as ModelRow } from "@tanstack/react-table";
import { lazy, type Ref, Suspense, useState } from "react";

import { AppIcon } from "../icon/app-icon.tsx";
import type { Column, Features, RowData, TableSelection } from "./table-model.ts";

import "../checkbox/checkbox.css";

/** Rendered until the code for that has arrived. */
const firstRows = 50;

const VirtualRows = lazy(async () => ({
  default: (await import("./virtual-rows.tsx")).VirtualRows,
}));

/** Styles turn rows into cards, and browsers then drop the roles of a table: they are explicit. */
const roles = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  columnHeader: { role: "columnheader", scope: "col" },
  rowHeader: { role: "rowheader", scope: "row" },
  cell: { role: "cell" },
} as const;

type GridProps<Row extends RowData> = {
  table: ReactTable<Features, Row>;
  columns: readonly Column<Row>[];
  selection: TableSelection<Row> | undefined;
};

type BoxProps = { label: string; checked: boolean; some?: boolean; onToggle: () => void };

function SelectBox({ label, checked, some = false, onToggle }: BoxProps) {
  return (
    <input
      className="checkbox__box"
      type="checkbox"
      aria-label={label}
      checked={checked}
      ref={(box) => {
        if (box !== null) box.indeterminate = some && !checked;
      }}
      onChange={onToggle}
    />
  );
}

function HeaderRow<Row extends RowData>({ table, columns, selection }: GridProps<Row>) {
  return (
    <tr {...roles.row} aria-rowindex={1}>
      {selection !== undefined && (
        <th {...roles.columnHeader} className="data-table__select">
          <SelectBox
            label={selection.allLabel}
            checked={table.getIsAllRowsSelected()}
            some={table.getIsSomeRowsSelected()}
            onToggle={() => table.toggleAllRowsSelected()}
          />
        </th>
      )}
      {columns.map(({ id, header, numeric = false }) => {
        const column = table.getColumn(id);
        const sorted = column?.getIsSorted() ?? false;
        return (
          <th
            key={id}
            {...roles.columnHeader}
            aria-sort={sorted === false ? undefined : `${sorted}ending`}
            data-numeric={numeric}
            data-plain={column?.getCanSort() !== true}
          >
            {column?.getCanSort() === true ? (
              <button
                type="button"
                className="data-table__sort"
                onClick={() => column.toggleSorting()}
              >
                {header}
                <AppIcon name={sorted === false ? "sort" : sorted === "asc" ? "up" : "down"} />
              </button>
            ) : (
              header
            )}
          </th>
        );
      })}
    </tr>
  );
}

type RowProps<Row extends RowData> = Omit<GridProps<Row>, "table"> & {
  row: ModelRow<Features, Row>;
  index: number;
  measure?: Ref<HTMLTableRowElement>;
};

function BodyRow<Row extends RowData>({ row, index, columns, selection, measure }: RowProps<Row>) {
  const selected = selection === undefined ? undefined : row.getIsSelected();
  return (
    <tr
      {...roles.row}
      ref={measure}
      data-index={index}
      data-selected={selected}
      aria-rowindex={index + 2}
    >
      {selection !== undefined && (
        <td {...roles.cell} className="data-table__select">
          <SelectBox
            label={selection.rowLabel(row.original)}
            checked={selected === true}
            onToggle={() => row.toggleSelected()}
          />
        </td>
      )}
      {columns.map(({ id, header, value, cell, numeric = false }, position) => {
        const content = cell === undefined ? value(row.original) : cell(row.original);
        const shared = { "data-label": header, "data-numeric": numeric };
        return position === 0 ? (
          <th key={id} {...roles.rowHeader} {...shared}>
            {content}
          </th>
        ) : (
          <td key={id} {...roles.cell} {...shared}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

type TableGridProps<Row extends RowData> = GridProps<Row> & {
  caption: string;
  renderedRowsMax: number;
};

/** The table itself; with more rows than are rendered at once it scrolls on its own. */
export function TableGrid<Row extends RowData>(props: TableGridProps<Row>) {
  const { table, columns, selection, caption, renderedRowsMax } = props;
  // Known before the rows in sight are: their own effects run before a reference to what is around them is set.
  const [scroll, setScroll] = useState<HTMLDivElement | null>(null);
  const { rows } = table.getRowModel();
  const virtual = rows.length > renderedRowsMax;
  const draw = (index: number, measure?: Ref<HTMLTableRowElement>) => {
    const row = rows[index];
    return (
      row && (
        <BodyRow
          key={row.id}
          row={row}
          index={index}
          columns={columns}
          selection={selection}
          {...(measure === undefined ? {} : { measure })}
        />
      )
    );
  };
  const drawn = rows.slice(0, virtual ? firstRows : renderedRowsMax).map((_, index) => draw(index));
  // A scrolling region has to be reached by the keyboard.
  const region = virtual ? ({ role: "region", tabIndex: 0, "aria-label": caption } as const) : {};
  return (
    <div ref={setScroll} className="data-table__scroll" data-virtual={virtual} {...region}>
      <table {...roles.table} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead {...roles.group}>
          <HeaderRow table={table} columns={columns} selection={selection} />
        </thead>
        <tbody {...roles.group}>
          {virtual
            ? scroll !== null && (
                <Suspense fallback={drawn}>
                  <VirtualRows count={rows.length} scroll={scroll} draw={draw} />
                </Suspense>
              )
            : drawn}
        </tbody>
      </table>
    </div>
  );
}
