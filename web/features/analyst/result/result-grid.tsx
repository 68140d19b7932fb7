import type { CSSProperties, KeyboardEventHandler, PointerEventHandler, RefCallback } from "react";

import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import type { GridCell } from "./grid-cursor.ts";
import {
  isNumeric,
  plainType,
  type ResultOrder,
  type ResultRange,
  type ResultValue,
  textOf,
} from "./result-rows.ts";
import type { ShownResult } from "./result-source.ts";
import type { GridView } from "./use-grid-view.ts";

type ResultGridProps = {
  id: string;
  frame: RefCallback<HTMLElement>;
  caption: string;
  result: ShownResult;
  view: GridView;
  rowAt: (row: number) => readonly ResultValue[] | undefined;
  active: GridCell;
  marked: ResultRange;
  order: ResultOrder | undefined;
  onKeyDown: KeyboardEventHandler<HTMLElement>;
  onPointer: PointerEventHandler<HTMLElement>;
};

/** Rows lie at their places within a height that no table could have: the roles are explicit. */
const roles = {
  group: { role: "rowgroup" },
  row: { role: "row" },
  columnHeader: { role: "columnheader" },
  rowHeader: { role: "rowheader" },
  cell: { role: "gridcell" },
} as const;
const numberSign = "#";
/** As ClickHouse and SQL write it, in every language. */
const nullText = "null";

const cellId = (id: string, { row, column }: GridCell): string => `${id}-${row}-${column}`;

const placed = (view: GridView, column: number): CSSProperties => {
  const [from = 0, to = 0] = [view.starts[column], view.starts[column + 1]];
  return { insetInlineStart: view.numberPx + from, inlineSize: to - from };
};

const columnsIn = ({ columns: [from, to] }: GridView): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

function Names({ id, result, view, active, order }: ResultGridProps) {
  return (
    <div {...roles.group} className="result-grid__names" style={{ blockSize: view.rowPx }}>
      <div {...roles.row} aria-rowindex={1} className="result-grid__row">
        <div
          {...roles.columnHeader}
          aria-colindex={1}
          className="result-grid__number"
          style={{ inlineSize: view.numberPx }}
        >
          {numberSign}
        </div>
        {columnsIn(view).map((column) => {
          const { name = "", type = "" } = result.columns[column] ?? {};
          const sorted = order?.column === column;
          return (
            <div
              key={column}
              id={cellId(id, { row: -1, column })}
              {...roles.columnHeader}
              aria-colindex={column + 2}
              aria-sort={sorted ? (order.descending ? "descending" : "ascending") : "none"}
              className="result-grid__cell"
              data-cell={`-1:${column}`}
              data-numeric={isNumeric(type)}
              data-active={active.row === -1 && active.column === column}
              title={`${name} ${plainType(type)}`}
              style={placed(view, column)}
            >
              <bdi>{name}</bdi>
              {sorted && <AppIcon name={order.descending ? "down" : "up"} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

type RowProps = ResultGridProps & { row: number };

function Row({ id, result, view, rowAt, active, marked, row }: RowProps) {
  const cells = rowAt(row);
  const isMarked = row >= marked.fromRow && row < marked.toRow;
  return (
    <div
      {...roles.row}
      aria-rowindex={row + 2}
      className="result-grid__row"
      style={{ blockSize: view.rowPx }}
    >
      <div
        {...roles.rowHeader}
        aria-colindex={1}
        className="result-grid__number"
        style={{ inlineSize: view.numberPx }}
      >
        {row + 1}
      </div>
      {columnsIn(view).map((column) => {
        const value = cells?.[column];
        return (
          <div
            key={column}
            id={cellId(id, { row, column })}
            {...roles.cell}
            aria-colindex={column + 2}
            aria-selected={isMarked && column >= marked.fromColumn && column < marked.toColumn}
            className="result-grid__cell"
            data-cell={`${row}:${column}`}
            data-numeric={isNumeric(result.columns[column]?.type ?? "")}
            data-active={active.row === row && active.column === column}
            data-null={cells !== undefined && value === null}
            style={placed(view, column)}
          >
            <bdi>{value === null && cells !== undefined ? nullText : textOf(value)}</bdi>
          </div>
        );
      })}
    </div>
  );
}

/** The grid as it is drawn: names above, numbers of rows beside, and the cells in sight. */
export function ResultGrid(props: ResultGridProps) {
  const { id, frame, caption, result, view, active } = props;
  const { rows, starts } = view;
  const isDrawn = active.row === -1 || (active.row >= rows.from && active.row < rows.to);
  const drawn = Array.from({ length: rows.to - rows.from }, (_, at) => rows.from + at);
  return (
    <div
      ref={frame}
      className="result-grid"
      role="grid"
      tabIndex={0}
      aria-label={caption}
      aria-rowcount={result.count + 1}
      aria-colcount={result.columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={isDrawn ? cellId(id, active) : undefined}
      onKeyDown={props.onKeyDown}
      onPointerDown={props.onPointer}
    >
      <div
        role="presentation"
        className="result-grid__content"
        style={{
          blockSize: view.contentPx + view.rowPx,
          inlineSize: view.numberPx + (starts.at(-1) ?? 0),
        }}
      >
        <Names {...props} />
        <div {...roles.group} style={{ transform: `translateY(${rows.startPx}px)` }}>
          {drawn.map((row) => (
            <Row key={row} {...props} row={row} />
          ))}
        </div>
      </div>
    </div>
  );
}
