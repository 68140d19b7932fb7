import {
  type CSSProperties,
  type KeyboardEventHandler,
  memo,
  type PointerEventHandler,
  type RefCallback,
  useMemo,
} from "react";

import { AppIcon } from "../../../ui/icon/app-icon.tsx";
import type { GridCell } from "./result-layout.ts";
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

/** A column in sight, and where it lies. */
type Place = {
  readonly column: number;
  readonly name: string;
  readonly type: string;
  readonly numeric: boolean;
  readonly style: CSSProperties;
};

/** The columns in sight; the same ones while only rows are scrolled. */
function usePlaces({ columns }: ShownResult, view: GridView): readonly Place[] {
  const { starts, numberPx } = view;
  const [from, to] = view.columns;
  return useMemo(
    () =>
      columns.slice(from, to).map(({ name, type }, at) => {
        const column = from + at;
        const [start = 0, end = 0] = [starts[column], starts[column + 1]];
        const style = { insetInlineStart: numberPx + start, inlineSize: end - start };
        return { column, name, type, numeric: isNumeric(type), style };
      }),
    [columns, starts, numberPx, from, to],
  );
}

type NamesProps = ResultGridProps & { places: readonly Place[] };

function Names({ id, view, active, order, places }: NamesProps) {
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
        {places.map(({ column, name, type, numeric, style }) => {
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
              data-numeric={numeric}
              data-active={active.row === -1 && active.column === column}
              title={`${name} ${plainType(type)}`}
              style={style}
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

type RowProps = {
  id: string;
  row: number;
  rowPx: number;
  numberPx: number;
  places: readonly Place[];
  /** Undefined until they are there. */
  cells: readonly ResultValue[] | undefined;
  /** The column with the cursor, or -1. */
  active: number;
  /** The first and the last marked column, the end excluded. */
  markedFrom: number;
  markedTo: number;
};

/** A row, drawn anew only when something of it changes: scrolling leaves most of them as they are. */
const Row = memo(function Row(props: RowProps) {
  const { id, row, rowPx, numberPx, places, cells, active, markedFrom, markedTo } = props;
  return (
    <div
      {...roles.row}
      aria-rowindex={row + 2}
      className="result-grid__row"
      style={{ blockSize: rowPx }}
    >
      <div
        {...roles.rowHeader}
        aria-colindex={1}
        className="result-grid__number"
        style={{ inlineSize: numberPx }}
      >
        {row + 1}
      </div>
      {places.map(({ column, numeric, style }) => {
        const value = cells?.[column];
        return (
          <div
            key={column}
            id={cellId(id, { row, column })}
            {...roles.cell}
            aria-colindex={column + 2}
            aria-selected={column >= markedFrom && column < markedTo}
            className="result-grid__cell"
            data-cell={`${row}:${column}`}
            data-numeric={numeric}
            data-active={column === active}
            data-null={cells !== undefined && value === null}
            style={style}
          >
            <bdi>{value === null && cells !== undefined ? nullText : textOf(value)}</bdi>
          </div>
        );
      })}
    </div>
  );
});

/** The grid as it is drawn: names above, numbers of rows beside, and the cells in sight. */
export function ResultGrid(props: ResultGridProps) {
  const { id, frame, caption, result, view, active, marked } = props;
  const { rows, starts, rowPx, numberPx } = view;
  const places = usePlaces(result, view);
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
        <Names {...props} places={places} />
        <div {...roles.group} style={{ transform: `translateY(${rows.startPx}px)` }}>
          {drawn.map((row) => {
            const isMarked = row >= marked.fromRow && row < marked.toRow;
            return (
              <Row
                // Elements that leave the sight at one end serve again at the other.
                key={row % drawn.length}
                {...{ id, row, rowPx, numberPx, places }}
                cells={props.rowAt(row)}
                active={active.row === row ? active.column : -1}
                markedFrom={isMarked ? marked.fromColumn : -1}
                markedTo={isMarked ? marked.toColumn : -1}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
