import { type KeyboardEvent, type PointerEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { useLanguage } from "../../../i18n/use-language.ts";
import { Button } from "../../../ui/button/button.tsx";
import { toaster } from "../../toaster.ts";
import { ResultGrid } from "./result-grid.tsx";
import { cellAfter, type GridCell, rangeBetween } from "./result-layout.ts";
import { plainType, type ResultOrder, type ResultRange, textOf } from "./result-rows.ts";
import type { ShownResult } from "./result-source.ts";
import { type GridView, useGridView, useRows } from "./use-grid-view.ts";

import "./result-table.css";

/** More cells are a file. */
const copiedCellsMax = 500_000;

/** Offers text to the clipboard; it is made while the press that asked for it still counts. */
async function copy(text: Promise<string>): Promise<boolean> {
  const blob = text.then((plain) => new Blob([plain], { type: "text/plain" }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    return true;
  } catch {
    return false;
  }
}

type Mark = { readonly cell: GridCell; readonly anchor: GridCell };
const begin: Mark = { cell: { row: 0, column: 0 }, anchor: { row: 0, column: 0 } };

function useCopying({ source, columns }: ShownResult) {
  const { t } = useTranslation("analyst-result");
  return async (range: ResultRange, withHeader: boolean): Promise<void> => {
    const rows = range.toRow - range.fromRow;
    if (rows * columns.length > copiedCellsMax) {
      toaster.show({ text: t("copy.tooMany") });
      return;
    }
    const done = await copy(source.text(range, withHeader));
    toaster.show({ text: done ? t("copy.done", { count: rows }) : t("copy.refused") });
  };
}

type CopyBarProps = {
  result: ShownResult;
  mark: Mark;
  onCopy: (range: ResultRange, withHeader: boolean) => void;
};

function CopyBar({ result: { columns, count }, mark, onCopy }: CopyBarProps) {
  const { t } = useTranslation("analyst-result");
  const all = { fromRow: 0, toRow: count, fromColumn: 0, toColumn: columns.length };
  const marked = rangeBetween(mark.cell, mark.anchor);
  return (
    <p className="result-table__copy">
      <Button variant="text" onClick={() => onCopy(marked, false)}>
        {t("copy.marked")}
      </Button>
      <Button
        variant="text"
        onClick={() => onCopy({ ...marked, fromColumn: 0, toColumn: columns.length }, false)}
      >
        {t("copy.row")}
      </Button>
      <Button variant="text" onClick={() => onCopy(all, true)}>
        {t("copy.all")}
      </Button>
    </p>
  );
}

/** What is marked, in words, and the whole value where the cell shows only its beginning. */
function Reading({
  result: { columns },
  mark,
  value,
}: Omit<CopyBarProps, "onCopy"> & { value: string | undefined }) {
  const { t } = useTranslation("analyst-result");
  const number = new Intl.NumberFormat(useLanguage());
  const column = columns[mark.cell.column];
  if (column === undefined) return null;
  const { fromRow, toRow, fromColumn, toColumn } = rangeBetween(mark.cell, mark.anchor);
  const cells = (toRow - fromRow) * (toColumn - fromColumn);
  return (
    <p className="result-table__reading">
      <bdi className="result-table__name">{column.name}</bdi>{" "}
      <code dir="ltr">{plainType(column.type)}</code>
      {cells > 1 && <span>{t("marked", { count: cells, shown: number.format(cells) })}</span>}
      {value !== undefined && <bdi className="result-table__value">{value}</bdi>}
    </p>
  );
}

/** Sorts in the worker; the order is shown once the rows have it. */
function useSorting({ source, columns }: ShownResult) {
  const [state, setState] = useState<{ order: ResultOrder | undefined; version: number }>({
    order: undefined,
    version: 0,
  });
  const [isSorting, setIsSorting] = useState(false);
  const { t } = useTranslation("analyst-result");
  const sortBy = async (column: number): Promise<void> => {
    const { order } = state;
    const same = order?.column === column;
    // Up, down, and as the query had it.
    const next = same && order.descending ? undefined : { column, descending: same };
    setIsSorting(true);
    const done = await source.orderBy(next).catch(() => undefined);
    setIsSorting(false);
    if (done !== undefined) setState(({ version }) => ({ order: next, version: version + 1 }));
  };
  const name = columns[state.order?.column ?? 0]?.name ?? "";
  const direction = state.order?.descending === true ? "descending" : "ascending";
  const sorted = state.order === undefined ? t("sorted.none") : t(`sorted.${direction}`, { name });
  return { ...state, isSorting, sortBy, said: state.version === 0 ? "" : sorted };
}

type Sorting = ReturnType<typeof useSorting>;

/** What is marked, and what keys and the pointer do to it. */
function useMarking(result: ShownResult, view: GridView, sorting: Sorting) {
  const { columns, count } = result;
  const copying = useCopying(result);
  const [mark, setMark] = useState<Mark>(begin);
  const marked = rangeBetween(mark.cell, mark.anchor);
  const moveTo = (cell: GridCell, extend: boolean): void => {
    setMark(({ anchor }) => ({ cell, anchor: extend ? anchor : cell }));
    view.show(cell);
  };
  const act = (key: string, ctrl: boolean): boolean => {
    const isName = mark.cell.row === -1;
    if (isName && (key === "Enter" || key === " ")) void sorting.sortBy(mark.cell.column);
    else if (ctrl && key === "c") void copying(marked, false);
    else if (ctrl && key === "a")
      setMark({ anchor: begin.anchor, cell: { row: count - 1, column: columns.length - 1 } });
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey) return;
    // By the position of the key where a keyboard has no Latin letters.
    const key = event.key.length === 1 ? event.code.replace(/^Key/u, "").toLowerCase() : event.key;
    const ctrl = event.ctrlKey || event.metaKey;
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const size = { rows: count, columns: columns.length, pageRows: view.pageRows };
    const next = cellAfter({ key: event.key, ctrl, isRtl }, mark.cell, size);
    if (next !== undefined) moveTo(next, event.shiftKey);
    else if (!act(key === "space" ? " " : key, ctrl)) return;
    event.preventDefault();
  };
  const onPointer = (event: PointerEvent<HTMLElement>): void => {
    const at = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    const [row, column] = (at?.getAttribute("data-cell") ?? "").split(":").map(Number);
    if (event.button !== 0 || row === undefined || column === undefined) return;
    if (row === -1) void sorting.sortBy(column);
    moveTo({ row, column }, event.shiftKey);
  };
  return { mark, marked, copying, onKeyDown, onPointer };
}

type ResultTableProps = {
  /** Names the table. */
  caption: string;
  result: ShownResult;
};

/**
 * The rows of a result as a grid: one stop of the Tab key, arrows, Home, End and pages, Shift to mark, Control and C to
 * copy, Enter on a name to sort. Of a million rows and of many columns only those in sight are drawn.
 */
export function ResultTable({ caption, result }: ResultTableProps) {
  const { t } = useTranslation("analyst-result");
  const id = useId();
  const sorting = useSorting(result);
  const [frame, view] = useGridView(result);
  const rowAt = useRows(result, [view.rows.from, view.rows.to], sorting.version);
  const { mark, marked, copying, onKeyDown, onPointer } = useMarking(result, view, sorting);
  const value = mark.cell.row === -1 ? undefined : rowAt(mark.cell.row)?.[mark.cell.column];
  return (
    <div className="result-table" aria-busy={sorting.isSorting}>
      <ResultGrid
        {...{ id, frame, caption, result, view, rowAt, marked, onKeyDown, onPointer }}
        active={mark.cell}
        order={sorting.order}
      />
      <Reading
        result={result}
        mark={mark}
        value={value === undefined ? undefined : textOf(value)}
      />
      <CopyBar result={result} mark={mark} onCopy={(...copied) => void copying(...copied)} />
      <p className="result-table__keys">{t("keys")}</p>
      <output className="visually-hidden">{sorting.said}</output>
    </div>
  );
}
